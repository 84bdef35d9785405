import Foundation

/// The kind of contact detail that the system may suggest for an unknown person.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum INPersonSuggestionType: Int, Sendable {
    case none = 0
    case socialProfile = 1
    case instantMessageAddress = 2
}

/// A person in a message or a call.
/// [INPerson](https://developer.apple.com/documentation/intents/inperson)
open class INPerson: NSObject, NSCopying, NSSecureCoding {
    struct Fields: Codable, Hashable {
        var handle: INPersonHandle.Fields?
        var nameComponents: PersonNameComponents?
        var displayName: String?
        var image: INImage.Fields?
        var contactIdentifier: String?
        var customIdentifier: String?
        var isMe: Bool
        var suggestionType: Int
    }

    let fields: Fields

    init(fields: Fields) { self.fields = fields }

    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
        contactIdentifier: String?, customIdentifier: String?, isMe: Bool = false,
        suggestionType: INPersonSuggestionType = .none
    ) {
        self.init(
            fields: Fields(
                handle: personHandle.fields, nameComponents: nameComponents, displayName: displayName,
                image: image?.fields, contactIdentifier: contactIdentifier, customIdentifier: customIdentifier,
                isMe: isMe, suggestionType: suggestionType.rawValue))
    }

    open var personHandle: INPersonHandle? { fields.handle.map(INPersonHandle.init(fields:)) }
    open var nameComponents: PersonNameComponents? { fields.nameComponents }
    /// The displayed name: the given display name, else given and family name, else the handle.
    open var displayName: String {
        let names = fields.nameComponents.map { [$0.givenName, $0.familyName].compactMap(\.self) }
        let formatted = names?.joined(separator: " ")
        return [fields.displayName, formatted, fields.handle?.value].compactMap(\.self).first { !$0.isEmpty } ?? ""
    }
    open var image: INImage? { fields.image.map(INImage.init(fields:)) }
    open var contactIdentifier: String? { fields.contactIdentifier }
    open var customIdentifier: String? { fields.customIdentifier }
    /// Whether the person is the phone's owner.
    open var isMe: Bool { fields.isMe }
    open var suggestionType: INPersonSuggestionType { INPersonSuggestionType(rawValue: fields.suggestionType) ?? .none }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool { (object as? INPerson)?.fields == fields }

    open override var hash: Int { fields.hashValue }

    /// A description without names, because names must not be logged.
    open override var description: String { "<INPerson: isMe: \(isMe)>" }

    open class var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let fields = coder.decodeFields(Fields.self) else { return nil }
        self.fields = fields
    }

    open func encode(with coder: NSCoder) { coder.encodeFields(fields) }
}
