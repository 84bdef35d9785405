import Foundation

/// A file that a push asks to attach to its notification.
package struct AttachmentRequest: Sendable {
    package let url: URL
    /// The reason why the SDK must not download the file, such as an address without `https`; `nil` if the download is allowed.
    package let refusal: String?
    private let ownLimit: Int

    /// Reads the file's address from a payload; `nil` if the payload names no file.
    ///
    /// - Parameters:
    ///   - payload: the push's `userInfo`.
    ///   - byteLimit: the app's own limit in bytes, `CarillonServiceExtension.attachmentByteLimit`; `.max` for no own limit.
    package init?(_ payload: [AnyHashable: Any], byteLimit: Int) {
        guard let text = AttachmentRule.text(in: payload) else { return nil }
        let url = URL(string: text)
        refusal = AttachmentRule.refusal(of: url)
        self.url = url ?? URL(fileURLWithPath: "/")
        ownLimit = byteLimit
    }

    /// Returns the largest allowed size in bytes: the lower of the app's limit and Apple's limit for this type.
    ///
    /// Returns `nil` for a type that iOS does not show.
    package func byteLimit(pathExtension: String) -> Int? {
        AttachmentRule.byteLimit(pathExtension: pathExtension).map { min($0, ownLimit) }
    }
}

/// The files that may be attached to a notification, by Apple's rules
/// ([UNNotificationAttachment](https://developer.apple.com/documentation/usernotifications/unnotificationattachment)).
package enum AttachmentRule {
    private enum Kind: String {
        case audio
        case image
        case video

        /// Returns audio, image or video, according to a file name extension; `nil` for an extension that iOS does not show.
        init?(pathExtension: String) {
            switch pathExtension.lowercased() {
            case "aif", "aiff", "wav", "mp3", "m4a": self = .audio
            case "jpg", "jpeg", "gif", "png": self = .image
            case "mpg", "mpeg", "m2v", "mp4", "avi": self = .video
            default: return nil
            }
        }
    }

    /// Returns Apple's largest size for this file name extension, in bytes; `nil` for a type that iOS does not show.
    package static func byteLimit(pathExtension: String) -> Int? {
        switch Kind(pathExtension: pathExtension) {
        case .audio: AppLimits.audioBytes
        case .image: AppLimits.imageBytes
        case .video: AppLimits.videoBytes
        case nil: nil
        }
    }

    /// Returns the file-name extension for a response: the URL's own if iOS can show such files, otherwise one for the MIME type.
    ///
    /// For a response without a type, or with `application/octet-stream`, only the URL counts. Otherwise the type must fit the
    /// URL, so that a login page is not taken for an image.
    ///
    /// - Returns: `nil` for a type that iOS cannot show, and for a type that contradicts the URL.
    package static func pathExtension(of url: URL, mimeType: String?) -> String? {
        let own = url.pathExtension
        guard let mimeType = mimeType?.lowercased(), mimeType != "application/octet-stream" else {
            return Kind(pathExtension: own) == nil ? nil : own
        }
        guard let kind = Kind(pathExtension: own) else { return extensions[mimeType] }
        return mimeType.hasPrefix("\(kind.rawValue)/") ? own : nil
    }

    private static let extensions = [
        "image/jpeg": "jpg", "image/jpg": "jpg", "image/pjpeg": "jpg", "image/png": "png", "image/x-png": "png",
        "image/gif": "gif",
        "audio/mpeg": "mp3", "audio/mp3": "mp3", "audio/mp4": "m4a", "audio/m4a": "m4a", "audio/x-m4a": "m4a",
        "audio/wav": "wav", "audio/wave": "wav", "audio/x-wav": "wav", "audio/vnd.wave": "wav", "audio/aiff": "aiff",
        "audio/x-aiff": "aiff",
        "video/mp4": "mp4", "video/mpeg": "mpg", "video/x-msvideo": "avi", "video/avi": "avi",
    ]

    /// Returns the file's address in a payload: `media_url` beside `aps`, or Infobip's `internalData.atts[0].url`.
    ///
    /// Returns `nil` if the payload has neither.
    static func text(in payload: [AnyHashable: Any]) -> String? {
        let internalData = payload["internalData"] as? [String: Any]
        let first = (internalData?["atts"] as? [[String: Any]])?.first
        return payload["media_url"] as? String ?? first?["url"] as? String
    }

    /// Returns the reason why a file may not be fetched; `nil` for `https`, and for `http` to this machine.
    static func refusal(of url: URL?) -> String? {
        guard let url, let scheme = url.scheme?.lowercased() else { return "its address is no URL" }
        let isLocal = url.host == "127.0.0.1" || url.host == "localhost"
        return scheme == "https" || (scheme == "http" && isLocal) ? nil : "its address is not https"
    }
}
