import Foundation

public let UNNotificationAttachmentOptionsTypeHintKey = "UNNotificationAttachmentOptionsTypeHintKey"
public let UNNotificationAttachmentOptionsThumbnailHiddenKey = "UNNotificationAttachmentOptionsThumbnailHiddenKey"
public let UNNotificationAttachmentOptionsThumbnailClippingRectKey =
    "UNNotificationAttachmentOptionsThumbnailClippingRectKey"
public let UNNotificationAttachmentOptionsThumbnailTimeKey = "UNNotificationAttachmentOptionsThumbnailTimeKey"

/// A picture, sound or film from a local file, shown with a notification.
/// [UNNotificationAttachment](https://developer.apple.com/documentation/usernotifications/unnotificationattachment)
///
/// The system moves the file into its store when it accepts the notification; a file in the app's bundle is copied.
///
/// Differs from iOS: the extension or the type hint determines the file's type, never its bytes.
open class UNNotificationAttachment: NSObject, NSCopying, NSSecureCoding {
    // `@unchecked`: immutable.
    public let identifier: String
    public let url: URL
    /// The uniform type identifier, such as `public.jpeg`.
    public let type: String

    /// Makes an attachment from a file.
    ///
    /// - Parameters:
    ///   - identifier: the identifier; if it is empty, an identifier is generated (here, the file's name).
    ///   - url: the file URL of an existing file.
    ///   - options: only the type hint has an effect; the thumbnail's options change nothing on the phone.
    /// - Throws: `UNError`: `attachmentInvalidURL` (no file there), `attachmentUnrecognizedType`, `attachmentInvalidFileSize`
    ///   (audio 5 MB, image 10 MB, movie 50 MB at most).
    public init(identifier: String, url: URL, options: [AnyHashable: Any]? = nil) throws {
        guard url.isFileURL, let size = Self.byteCount(of: url) else { throw UNError(.attachmentInvalidURL) }
        let hint = options?[UNNotificationAttachmentOptionsTypeHintKey] as? String
        guard let kind = AttachmentKind.recognise(typeHint: hint, pathExtension: url.pathExtension) else {
            throw UNError(.attachmentUnrecognizedType)
        }
        guard size <= kind.family.byteLimit else { throw UNError(.attachmentInvalidFileSize) }
        self.identifier = identifier.isEmpty ? url.lastPathComponent : identifier
        self.url = url
        type = kind.type
    }

    /// Returns a copy of the attachment whose file is at `url`.
    @_spi(Simulation) public func moved(to url: URL) -> UNNotificationAttachment {
        UNNotificationAttachment(identifier: identifier, movedTo: url, type: type)
    }

    private init(identifier: String, movedTo url: URL, type: String) {
        self.identifier = identifier
        self.url = url
        self.type = type
    }

    private static func byteCount(of url: URL) -> Int? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        return (attributes?[.size] as? NSNumber)?.intValue
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationAttachment else { return false }
        return other.identifier == identifier && other.url == url && other.type == type
    }

    open override var hash: Int { identifier.hashValue ^ url.hashValue }

    public static var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let identifier = coder.decodeText("identifier"), let type = coder.decodeText("type"),
            let url = coder.decodeText("url").flatMap(URL.init(string:))
        else { return nil }
        self.identifier = identifier
        self.type = type
        self.url = url
    }

    open func encode(with coder: NSCoder) {
        coder.encodeText(identifier, "identifier")
        coder.encodeText(type, "type")
        coder.encodeText(url.absoluteString, "url")
    }
}
