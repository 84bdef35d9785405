import Foundation

/// A file type.
///
/// Differs from iOS: only types for notifications and their attachments are known.
/// [UTType](https://developer.apple.com/documentation/uniformtypeidentifiers/uttype-swift.struct)
public struct UTType: Sendable, Hashable, Codable, CustomStringConvertible {
    public let identifier: String

    /// Finds a type by its identifier; `nil` for an unknown identifier.
    ///
    /// - Parameter identifier: the identifier, such as `public.jpeg`.
    public init?(_ identifier: String) {
        guard Self.known.contains(where: { $0.identifier == identifier }) else { return nil }
        self.identifier = identifier
    }

    /// Finds a type by a file name extension; `nil` for an unknown extension, or if the type does not conform to `supertype`.
    ///
    /// - Parameters:
    ///   - filenameExtension: the extension, such as `jpg`.
    ///   - supertype: the type to which the found type must conform; the default is `.data`.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        let name = filenameExtension.lowercased()
        guard let known = Self.known.first(where: { $0.pathExtensions.contains(name) }) else { return nil }
        identifier = known.identifier
        guard conforms(to: supertype) else { return nil }
    }

    /// Finds a type by a MIME type; `nil` for an unknown MIME type, or if the type does not conform to `supertype`.
    ///
    /// - Parameters:
    ///   - mimeType: the MIME type, such as `image/jpeg`.
    ///   - supertype: the type to which the found type must conform; the default is `.data`.
    public init?(mimeType: String, conformingTo supertype: UTType = .data) {
        guard let known = Self.known.first(where: { $0.mimeType == mimeType.lowercased() }) else { return nil }
        identifier = known.identifier
        guard conforms(to: supertype) else { return nil }
    }

    private init(_ known: Known) { identifier = known.identifier }

    public var description: String { identifier }
    public var preferredFilenameExtension: String? { facts?.pathExtensions.first }
    public var preferredMIMEType: String? { facts?.mimeType }
    public var localizedDescription: String? { nil }

    /// Returns whether this type is `type` or a subtype of it.
    public func conforms(to type: UTType) -> Bool {
        var current: String? = identifier
        while let name = current {
            if name == type.identifier { return true }
            current = Self.known.first { $0.identifier == name }?.parent
        }
        return false
    }

    private var facts: Known? { Self.known.first { $0.identifier == identifier } }

    private struct Known: Sendable {
        let identifier: String
        var parent: String?
        var pathExtensions: [String] = []
        var mimeType: String?
    }

    private static func make(_ identifier: String) -> UTType { UTType(Known(identifier: identifier)) }

    public static let item = make("public.item")
    public static let content = make("public.content")
    public static let data = make("public.data")
    public static let image = make("public.image")
    public static let jpeg = make("public.jpeg")
    public static let png = make("public.png")
    public static let gif = make("com.compuserve.gif")
    public static let heic = make("public.heic")
    public static let webP = make("org.webmproject.webp")
    public static let audio = make("public.audio")
    public static let mp3 = make("public.mp3")
    public static let wav = make("com.microsoft.waveform-audio")
    public static let aiff = make("public.aiff-audio")
    public static let mpeg4Audio = make("public.mpeg-4-audio")
    public static let audiovisualContent = make("public.audiovisual-content")
    public static let movie = make("public.movie")
    public static let video = make("public.video")
    public static let mpeg = make("public.mpeg")
    public static let mpeg2Video = make("public.mpeg-2-video")
    public static let mpeg4Movie = make("public.mpeg-4")
    public static let quickTimeMovie = make("com.apple.quicktime-movie")
    public static let avi = make("public.avi")
    public static let text = make("public.text")
    public static let plainText = make("public.plain-text")
    public static let utf8PlainText = make("public.utf8-plain-text")
    public static let html = make("public.html")
    public static let json = make("public.json")
    public static let pdf = make("com.adobe.pdf")
    public static let url = make("public.url")
    public static let fileURL = make("public.file-url")

    private static let known: [Known] = [
        Known(identifier: "public.item"), Known(identifier: "public.content"),
        Known(identifier: "public.data", parent: "public.item"),
        Known(identifier: "public.image", parent: "public.data"),
        Known(
            identifier: "public.jpeg", parent: "public.image", pathExtensions: ["jpeg", "jpg"], mimeType: "image/jpeg"),
        Known(identifier: "public.png", parent: "public.image", pathExtensions: ["png"], mimeType: "image/png"),
        Known(identifier: "com.compuserve.gif", parent: "public.image", pathExtensions: ["gif"], mimeType: "image/gif"),
        Known(identifier: "public.heic", parent: "public.image", pathExtensions: ["heic"], mimeType: "image/heic"),
        Known(
            identifier: "org.webmproject.webp", parent: "public.image", pathExtensions: ["webp"], mimeType: "image/webp"
        ),
        Known(identifier: "public.audiovisual-content", parent: "public.data"),
        Known(identifier: "public.audio", parent: "public.audiovisual-content"),
        Known(identifier: "public.mp3", parent: "public.audio", pathExtensions: ["mp3"], mimeType: "audio/mpeg"),
        Known(
            identifier: "com.microsoft.waveform-audio", parent: "public.audio", pathExtensions: ["wav"],
            mimeType: "audio/vnd.wave"),
        Known(
            identifier: "public.aiff-audio", parent: "public.audio", pathExtensions: ["aiff", "aif"],
            mimeType: "audio/aiff"),
        Known(
            identifier: "public.mpeg-4-audio", parent: "public.audio", pathExtensions: ["m4a"], mimeType: "audio/mp4"),
        Known(identifier: "public.movie", parent: "public.audiovisual-content"),
        Known(identifier: "public.video", parent: "public.movie"),
        Known(
            identifier: "public.mpeg", parent: "public.movie", pathExtensions: ["mpg", "mpeg"], mimeType: "video/mpeg"),
        Known(
            identifier: "public.mpeg-2-video", parent: "public.video", pathExtensions: ["m2v"], mimeType: "video/mpeg2"),
        Known(identifier: "public.mpeg-4", parent: "public.movie", pathExtensions: ["mp4"], mimeType: "video/mp4"),
        Known(
            identifier: "com.apple.quicktime-movie", parent: "public.movie", pathExtensions: ["mov", "qt"],
            mimeType: "video/quicktime"),
        Known(identifier: "public.avi", parent: "public.movie", pathExtensions: ["avi"], mimeType: "video/avi"),
        Known(identifier: "public.text", parent: "public.data"),
        Known(
            identifier: "public.plain-text", parent: "public.text", pathExtensions: ["txt", "text"],
            mimeType: "text/plain"),
        Known(identifier: "public.utf8-plain-text", parent: "public.plain-text"),
        Known(
            identifier: "public.html", parent: "public.text", pathExtensions: ["html", "htm"], mimeType: "text/html"),
        Known(identifier: "public.json", parent: "public.text", pathExtensions: ["json"], mimeType: "application/json"),
        Known(identifier: "com.adobe.pdf", parent: "public.data", pathExtensions: ["pdf"], mimeType: "application/pdf"),
        Known(identifier: "public.url", parent: "public.data"),
        Known(identifier: "public.file-url", parent: "public.url"),
    ]
}
