import Foundation

/// What may be attached to a notification, by Apple's limits
/// ([UNNotificationAttachment](https://developer.apple.com/documentation/usernotifications/unnotificationattachment)).
public enum AttachmentRule {
    /// The most bytes that a file of this kind may have; `nil` for a kind that iOS does not show.
    public static func byteLimit(pathExtension: String) -> Int? {
        switch pathExtension.lowercased() {
        case "aif", "aiff", "wav", "mp3", "m4a": 5 << 20
        case "jpg", "jpeg", "gif", "png": 10 << 20
        case "mpg", "mpeg", "m2v", "mp4", "avi": 50 << 20
        default: nil
        }
    }

    /// Whether what a server calls `mimeType` may be a file with this ending: a login page in the place of a picture is
    /// not. A server that does not say, or says "bytes", is believed.
    static func allows(mimeType: String?, pathExtension: String) -> Bool {
        guard let mimeType = mimeType?.lowercased(), mimeType != "application/octet-stream" else { return true }
        return switch byteLimit(pathExtension: pathExtension) {
        case 5 << 20: mimeType.hasPrefix("audio/")
        case 10 << 20: mimeType.hasPrefix("image/")
        case 50 << 20: mimeType.hasPrefix("video/")
        default: false
        }
    }

    /// Where the file of a payload is: `media_url` beside `aps`, or Infobip's `internalData.atts[0].url`. Only
    /// `https`, or `http` to this machine.
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
