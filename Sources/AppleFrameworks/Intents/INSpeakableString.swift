import Foundation

/// A name that can be spoken. [INSpeakableString](https://developer.apple.com/documentation/intents/inspeakablestring)
open class INSpeakableString: NSObject, NSCopying, NSSecureCoding {
    struct Fields: Codable, Hashable {
        var vocabularyIdentifier: String?
        var spokenPhrase: String
        var pronunciationHint: String?
    }

    let fields: Fields

    init(fields: Fields) { self.fields = fields }

    public convenience init(spokenPhrase: String) { self.init(fields: Fields(spokenPhrase: spokenPhrase)) }

    public convenience init(vocabularyIdentifier: String, spokenPhrase: String, pronunciationHint: String?) {
        self.init(
            fields: Fields(
                vocabularyIdentifier: vocabularyIdentifier, spokenPhrase: spokenPhrase,
                pronunciationHint: pronunciationHint))
    }

    open var spokenPhrase: String { fields.spokenPhrase }
    open var pronunciationHint: String? { fields.pronunciationHint }
    open var vocabularyIdentifier: String? { fields.vocabularyIdentifier }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool { (object as? INSpeakableString)?.fields == fields }

    open override var hash: Int { fields.hashValue }

    open class var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let fields = coder.decodeFields(Fields.self) else { return nil }
        self.fields = fields
    }

    open func encode(with coder: NSCoder) { coder.encodeFields(fields) }
}
