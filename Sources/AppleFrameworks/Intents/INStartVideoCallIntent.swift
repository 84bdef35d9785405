import Foundation

/// A video call to one or more people, in the form before iOS 13.
/// [INStartVideoCallIntent](https://developer.apple.com/documentation/intents/instartvideocallintent)
@available(iOS, introduced: 10, deprecated: 13)
open class INStartVideoCallIntent: INIntent {
    open private(set) var contacts: [INPerson]?

    public init(contacts: [INPerson]?) {
        self.contacts = contacts
        super.init()
    }

    public required init?(coder: NSCoder) {
        guard let fields = coder.decodeFields(Fields.self) else { return nil }
        contacts = fields.contacts?.map(INPerson.init(fields:))
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encodeFields(Fields(contacts: contacts?.map(\.fields)))
    }

    private struct Fields: Codable {
        var contacts: [INPerson.Fields]?
    }
}
