import Foundation
@_spi(Simulation) import UserNotifications

/// The phone's pasteboard, which all its apps share.
/// [UIPasteboard](https://developer.apple.com/documentation/uikit/uipasteboard)
///
/// Differs from iOS: only text and links are supported; the person is not asked before an app reads another app's text; in a
/// service extension the pasteboard is empty, and setting it has no effect.
@MainActor @preconcurrency public class UIPasteboard: NSObject {
    public static let general = UIPasteboard()

    private var backend: (any ApplicationBackend)? {
        (SimulatedDevices.currentProcess as? any SimulatedAppProcess)?.application.backend
    }

    public var string: String? {
        get { backend?.copiedText }
        set { backend?.copiedText = newValue }
    }

    /// The text as a URL; `nil` if it is not an absolute URL.
    public var url: URL? {
        get { string.flatMap(URL.init(string:)).flatMap { $0.scheme == nil ? nil : $0 } }
        set { string = newValue?.absoluteString }
    }

    public var hasStrings: Bool { string != nil }
    public var hasURLs: Bool { url != nil }
}
