import Foundation
import UserNotifications

/// The file of a notification's first attachment, for the page to load.
struct AttachmentFile: Sendable {
    let url: URL
    /// The kind of the file: image, audio or movie.
    let kind: String
    let mediaType: String

    /// Finds the file of the notification's first attachment; returns `nil` if there is none, or if iOS does not show its type.
    init?(_ notification: UNNotification) {
        guard let file = notification.request.content.attachments.first?.url,
            let (kind, mediaType) = Self.types[file.pathExtension.lowercased()]
        else { return nil }
        url = file
        self.kind = kind
        self.mediaType = mediaType
    }

    /// Returns the facts about the attachment that the page needs: its kind, and the URL from which the page loads it.
    func described(on phone: String, of notification: String) -> PhoneState.Notification.Attachment? {
        guard let id = notification.addingPercentEncoding(withAllowedCharacters: .alphanumerics) else { return nil }
        // The version is part of the URL: if a later revision has another attachment, the page loads the new file.
        let version = url.lastPathComponent.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return PhoneState.Notification.Attachment(kind: kind, url: "phones/\(phone)/attachments/\(id)?\(version)")
    }

    // developer.apple.com/documentation/usernotifications/unnotificationattachment
    private static let types: [String: (kind: String, mediaType: String)] = [
        "jpg": ("image", "image/jpeg"), "jpeg": ("image", "image/jpeg"), "gif": ("image", "image/gif"),
        "png": ("image", "image/png"), "aif": ("audio", "audio/aiff"), "aiff": ("audio", "audio/aiff"),
        "wav": ("audio", "audio/wav"), "mp3": ("audio", "audio/mpeg"), "m4a": ("audio", "audio/mp4"),
        "mpg": ("movie", "video/mpeg"), "mpeg": ("movie", "video/mpeg"), "m2v": ("movie", "video/mpeg"),
        "mp4": ("movie", "video/mp4"), "avi": ("movie", "video/x-msvideo"),
    ]
}
