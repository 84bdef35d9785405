import CarillonMessaging
import Foundation

/// What may be attached to a notification, by Apple's rules
/// ([UNNotificationAttachment](https://developer.apple.com/documentation/usernotifications/unnotificationattachment)).
package enum AttachmentRule {
    private enum Kind: String {
        case audio
        case image
        case video

        /// `nil` for a file name extension that iOS does not show.
        init?(pathExtension: String) {
            switch pathExtension.lowercased() {
            case "aif", "aiff", "wav", "mp3", "m4a": self = .audio
            case "jpg", "jpeg", "gif", "png": self = .image
            case "mpg", "mpeg", "m2v", "mp4", "avi": self = .video
            default: return nil
            }
        }
    }

    /// The largest size of a file with this file name extension, in bytes; `nil` for a type that iOS does not show.
    package static func byteLimit(pathExtension: String) -> Int? {
        switch Kind(pathExtension: pathExtension) {
        case .audio: AppLimits.audioBytes
        case .image: AppLimits.imageBytes
        case .video: AppLimits.videoBytes
        case nil: nil
        }
    }

    /// Whether an answer of the type `mimeType` may be a file with this file name extension.
    ///
    /// A login page in the place of an image is not. An answer without a type, or with the type for any bytes, is
    /// accepted.
    static func allows(mimeType: String?, pathExtension: String) -> Bool {
        guard let mimeType = mimeType?.lowercased(), mimeType != "application/octet-stream" else { return true }
        return Kind(pathExtension: pathExtension).map { mimeType.hasPrefix("\($0.rawValue)/") } ?? false
    }

    /// Where the file of a payload is: `media_url` beside `aps`, or Infobip's `internalData.atts[0].url`.
    ///
    /// Only `https`, or `http` to this machine.
    static func url(in payload: [AnyHashable: Any]) -> URL? {
        let internalData = payload["internalData"] as? [String: Any]
        let first = (internalData?["atts"] as? [[String: Any]])?.first
        guard let text = payload["media_url"] as? String ?? first?["url"] as? String, let url = URL(string: text),
            byteLimit(pathExtension: url.pathExtension) != nil
        else { return nil }
        let isLocal = url.host == "127.0.0.1" || url.host == "localhost"
        return url.scheme == "https" || (url.scheme == "http" && isLocal) ? url : nil
    }
}
