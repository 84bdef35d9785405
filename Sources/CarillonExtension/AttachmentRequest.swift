import CarillonMessaging
import Foundation

/// The file that a push wants attached to its notification.
struct AttachmentRequest: Sendable {
    let url: URL
    /// The largest size, in bytes: the app's limit or Apple's for this type, whichever is lower.
    let byteLimit: Int

    /// `nil` when the payload names no file, or one that may not be attached (``AttachmentRule``).
    ///
    /// - Parameters:
    ///   - payload: the push's `userInfo`.
    ///   - byteLimit: the app's, ``CarillonServiceExtension/attachmentByteLimit``.
    init?(_ payload: [AnyHashable: Any], byteLimit: Int) {
        guard let url = AttachmentRule.url(in: payload),
            let limit = AttachmentRule.byteLimit(pathExtension: url.pathExtension)
        else { return nil }
        self.url = url
        self.byteLimit = min(limit, byteLimit)
    }
}
