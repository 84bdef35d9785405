import Foundation
@_spi(Simulation) import UserNotifications

/// The type of an outgoing message: text or audio.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum INOutgoingMessageType: Int, Sendable {
    case unknown = 0
    case outgoingMessageText = 1
    case outgoingMessageAudio = 2
}

/// A message from one person to one or more.
/// [INSendMessageIntent](https://developer.apple.com/documentation/intents/insendmessageintent)
open class INSendMessageIntent: INIntent {
    struct Fields: Codable, Hashable {
        var recipients: [INPerson.Fields]?
        var outgoingMessageType: Int
        var content: String?
        var speakableGroupName: INSpeakableString.Fields?
        var conversationIdentifier: String?
        var serviceName: String?
        var sender: INPerson.Fields?
        var attachments: [INSendMessageAttachment.Fields]?
    }

    let fields: Fields

    init(fields: Fields) {
        self.fields = fields
        super.init()
    }

    /// Makes the intent of a message that the phone's owner sends or receives.
    ///
    /// - Parameters:
    ///   - recipients: the recipients. For an incoming message, leave out the phone's owner; for a conversation of two, pass
    ///     `nil`.
    ///   - conversationIdentifier: the identifier that all messages of a conversation share.
    ///   - sender: `nil` for a message that the phone's owner sends.
    public convenience init(
        recipients: [INPerson]?, outgoingMessageType: INOutgoingMessageType, content: String?,
        speakableGroupName: INSpeakableString?, conversationIdentifier: String?, serviceName: String?,
        sender: INPerson?, attachments: [INSendMessageAttachment]?
    ) {
        self.init(
            fields: Fields(
                recipients: recipients?.map(\.fields), outgoingMessageType: outgoingMessageType.rawValue,
                content: content, speakableGroupName: speakableGroupName?.fields,
                conversationIdentifier: conversationIdentifier, serviceName: serviceName, sender: sender?.fields,
                attachments: attachments?.map(\.fields)))
    }

    /// Makes the intent of a text message without attachments. Deprecated since iOS 14.
    public convenience init(
        recipients: [INPerson]?, content: String?, speakableGroupName: INSpeakableString?,
        conversationIdentifier: String?, serviceName: String?, sender: INPerson?
    ) {
        self.init(
            recipients: recipients, outgoingMessageType: .outgoingMessageText, content: content,
            speakableGroupName: speakableGroupName, conversationIdentifier: conversationIdentifier,
            serviceName: serviceName, sender: sender, attachments: nil)
    }

    open var recipients: [INPerson]? { fields.recipients?.map(INPerson.init(fields:)) }
    open var outgoingMessageType: INOutgoingMessageType {
        INOutgoingMessageType(rawValue: fields.outgoingMessageType) ?? .unknown
    }
    open var content: String? { fields.content }
    open var speakableGroupName: INSpeakableString? { fields.speakableGroupName.map(INSpeakableString.init(fields:)) }
    open var conversationIdentifier: String? { fields.conversationIdentifier }
    open var serviceName: String? { fields.serviceName }
    open var sender: INPerson? { fields.sender.map(INPerson.init(fields:)) }
    open var attachments: [INSendMessageAttachment]? { fields.attachments?.map(INSendMessageAttachment.init(fields:)) }

    override class var pictured: [String: AnyKeyPath] {
        ["sender": \INSendMessageIntent.sender, "speakableGroupName": \INSendMessageIntent.speakableGroupName]
    }

    override var speaks: Communication? {
        guard let sender else { return nil }
        let metadata = donationMetadata as? INSendMessageIntentDonationMetadata
        let others = (recipients ?? []).filter { !$0.isMe && $0 != sender }
        let stated = metadata.map(\.recipientCount) ?? 0
        let count = max(others.count, stated - 1)
        let group = count > 0 ? images[\INSendMessageIntent.speakableGroupName] : nil
        let picture = group ?? images[\INSendMessageIntent.sender] ?? sender.image
        return Communication(
            kind: .message, senderName: sender.displayName, senderIdentifiers: sender.identifiers,
            recipientNames: others.map(\.displayName), recipientCount: count,
            groupName: speakableGroupName?.spokenPhrase, conversationIdentifier: conversationIdentifier,
            avatar: picture?.fields.data)
    }

    open override func copy(with zone: NSZone? = nil) -> Any { copied(to: INSendMessageIntent(fields: fields)) }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? INSendMessageIntent).map { $0.fields == fields && $0.images == images } ?? false
    }

    open override var hash: Int { fields.hashValue }

    public required init?(coder: NSCoder) {
        guard let fields = coder.decodeFields(Fields.self) else { return nil }
        self.fields = fields
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encodeFields(fields)
    }
}

extension INPerson {
    /// The identifiers by which a Focus recognises the person.
    var identifiers: [String] {
        [fields.handle?.value, contactIdentifier, customIdentifier].compactMap(\.self).filter { !$0.isEmpty }
    }
}

// `UNNotificationContentProviding` is Apple's marker protocol; the phone implements it as `CommunicationProvider`.
extension INSendMessageIntent: UNNotificationContentProviding {}

@_spi(Simulation) extension INSendMessageIntent: CommunicationProvider {
    public var communication: Communication? { speaks }
}

extension UNNotificationAttributedMessageContext {
    /// Makes an object that adds two things to a notification: the sender in `sendMessageIntent`, and an attributed text.
    ///
    /// Since iOS 18.
    public convenience init(sendMessageIntent: INSendMessageIntent, attributedContent: NSAttributedString) {
        self.init(message: sendMessageIntent, attributedContent: attributedContent)
    }
}
