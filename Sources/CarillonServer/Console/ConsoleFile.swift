import Crypto
import Foundation

/// One file of the page, as the binary carries it.
struct ConsoleFile: Sendable {
    /// The path it is served at.
    let path: String
    let mediaType: String
    let bytes: [UInt8]
    /// A strong validator (RFC 9110, section 8.8.3): the same bytes have the same.
    let entityTag: String

    init(path: String, mediaType: String, bytes: [UInt8]) {
        self.path = path
        self.mediaType = mediaType
        self.bytes = bytes
        let digest = SHA256.hash(data: bytes).prefix(12).map { String(format: "%02x", $0) }.joined()
        entityTag = "\"\(digest)\""
    }

    private static func script(_ name: String, _ bytes: [UInt8]) -> Self {
        Self(path: "/\(name).js", mediaType: "text/javascript; charset=utf-8", bytes: bytes)
    }

    /// Everything in `Web`; a test compares it with the folder.
    static let all: [ConsoleFile] = [
        ConsoleFile(path: "/", mediaType: "text/html; charset=utf-8", bytes: PackageResources.index_html),
        ConsoleFile(path: "/style.css", mediaType: "text/css; charset=utf-8", bytes: PackageResources.style_css),
        ConsoleFile(path: "/icon.svg", mediaType: "image/svg+xml", bytes: PackageResources.icon_svg),
        script("api", PackageResources.api_js),
        script("app-view", PackageResources.app_view_js),
        script("compose", PackageResources.compose_js),
        script("dom", PackageResources.dom_js),
        script("fields", PackageResources.fields_js),
        script("gestures", PackageResources.gestures_js),
        script("json-view", PackageResources.json_view_js),
        script("main", PackageResources.main_js),
        script("notification-card", PackageResources.notification_card_js),
        script("phone", PackageResources.phone_js),
        script("raw-push", PackageResources.raw_push_js),
        script("stream", PackageResources.stream_js),
        script("tabs", PackageResources.tabs_js),
        script("time", PackageResources.time_js),
        script("timeline", PackageResources.timeline_js),
        script("touch-queue", PackageResources.touch_queue_js),
    ]
}
