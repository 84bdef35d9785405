import Foundation

/// A picture of a person or a group.
/// [INImage](https://developer.apple.com/documentation/intents/inimage)
///
/// Differs from iOS: only images given as bytes are shown; names and URLs are not loaded.
open class INImage: NSObject, NSCopying, NSSecureCoding {
    struct Fields: Codable, Hashable {
        var data: Data?
        var name: String?
        var isSystemImage = false
        var url: URL?
    }

    let fields: Fields

    init(fields: Fields) { self.fields = fields }

    public convenience init(imageData: Data) { self.init(fields: Fields(data: imageData)) }
    public convenience init(named name: String) { self.init(fields: Fields(name: name)) }
    public convenience init?(url: URL) { self.init(fields: Fields(url: url)) }

    /// Makes an image from a URL. The parameters `width` and `height`, in points, have no effect.
    public convenience init?(url: URL, width: Double, height: Double) { self.init(url: url) }

    open class func systemImageNamed(_ systemImageName: String) -> INImage {
        INImage(fields: Fields(name: systemImageName, isSystemImage: true))
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool { (object as? INImage)?.fields == fields }

    open override var hash: Int { fields.hashValue }

    open class var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let fields = coder.decodeFields(Fields.self) else { return nil }
        self.fields = fields
    }

    open func encode(with coder: NSCoder) { coder.encodeFields(fields) }
}
