import Foundation

/// A call to one or more people, in the form before iOS 13.
/// [INStartAudioCallIntent](https://developer.apple.com/documentation/intents/instartaudiocallintent)
@available(iOS, introduced: 10, deprecated: 13)
open class INStartAudioCallIntent: INIntent {
    open private(set) var contacts: [INPerson]?
    open private(set) var destinationType: INCallDestinationType

    public init(destinationType: INCallDestinationType, contacts: [INPerson]?) {
        self.destinationType = destinationType
        self.contacts = contacts
        super.init()
    }

    public required init?(coder: NSCoder) {
        guard let fields = coder.decodeFields(Fields.self) else { return nil }
        contacts = fields.contacts?.map(INPerson.init(fields:))
        destinationType = INCallDestinationType(rawValue: fields.destinationType) ?? .unknown
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encodeFields(Fields(contacts: contacts?.map(\.fields), destinationType: destinationType.rawValue))
    }

    private struct Fields: Codable {
        var contacts: [INPerson.Fields]?
        var destinationType: Int
    }
}
