import Foundation
@_spi(Simulation) import UserNotifications

/// A call to one or more people. [INStartCallIntent](https://developer.apple.com/documentation/intents/instartcallintent)
open class INStartCallIntent: INIntent {
    struct Fields: Codable, Hashable {
        var callRecord: INCallRecord.Fields?
        var callRecordFilter: INCallRecordFilter.Fields?
        var audioRoute: Int
        var destinationType: Int
        var contacts: [INPerson.Fields]?
        var recordTypeForRedialing: Int
        var callCapability: Int
    }

    let fields: Fields

    init(fields: Fields) {
        self.fields = fields
        super.init()
    }

    /// Makes the intent of a call that the phone's owner makes or receives.
    ///
    /// - Parameter contacts: the people in the call, the caller first. For an incoming call, leave out the phone's owner.
    public convenience init(
        callRecordFilter: INCallRecordFilter?, callRecordToCallBack: INCallRecord?, audioRoute: INCallAudioRoute,
        destinationType: INCallDestinationType, contacts: [INPerson]?, callCapability: INCallCapability
    ) {
        self.init(
            fields: Fields(
                callRecord: callRecordToCallBack?.fields, callRecordFilter: callRecordFilter?.fields,
                audioRoute: audioRoute.rawValue, destinationType: destinationType.rawValue,
                contacts: contacts?.map(\.fields), recordTypeForRedialing: INCallRecordType.unknown.rawValue,
                callCapability: callCapability.rawValue))
    }

    /// Makes the intent of a call without a reference to a past call. Deprecated since iOS 14.
    public convenience init(
        audioRoute: INCallAudioRoute, destinationType: INCallDestinationType, contacts: [INPerson]?,
        recordTypeForRedialing: INCallRecordType, callCapability: INCallCapability
    ) {
        self.init(
            fields: Fields(
                audioRoute: audioRoute.rawValue, destinationType: destinationType.rawValue,
                contacts: contacts?.map(\.fields), recordTypeForRedialing: recordTypeForRedialing.rawValue,
                callCapability: callCapability.rawValue))
    }

    open var callRecordFilter: INCallRecordFilter? { fields.callRecordFilter.map(INCallRecordFilter.init(fields:)) }
    open var callRecordToCallBack: INCallRecord? { fields.callRecord.map(INCallRecord.init(fields:)) }
    open var audioRoute: INCallAudioRoute { INCallAudioRoute(rawValue: fields.audioRoute) ?? .unknown }
    open var destinationType: INCallDestinationType {
        INCallDestinationType(rawValue: fields.destinationType) ?? .unknown
    }
    open var contacts: [INPerson]? { fields.contacts?.map(INPerson.init(fields:)) }
    open var recordTypeForRedialing: INCallRecordType {
        INCallRecordType(rawValue: fields.recordTypeForRedialing) ?? .unknown
    }
    open var callCapability: INCallCapability { INCallCapability(rawValue: fields.callCapability) ?? .unknown }

    override class var pictured: [String: AnyKeyPath] {
        ["contacts": \INStartCallIntent.contacts, "callRecordToCallBack": \INStartCallIntent.callRecordToCallBack]
    }

    override var speaks: Communication? {
        let others = (contacts ?? []).filter { !$0.isMe }
        guard let caller = callRecordToCallBack?.caller ?? others.first else { return nil }
        let rest = others.filter { $0 != caller }
        let group = rest.isEmpty ? nil : images[\INStartCallIntent.callRecordToCallBack]
        let picture = group ?? images[\INStartCallIntent.contacts] ?? caller.image
        return Communication(
            kind: .call, senderName: caller.displayName, senderIdentifiers: caller.identifiers,
            recipientNames: rest.map(\.displayName), avatar: picture?.fields.data)
    }

    open override func copy(with zone: NSZone? = nil) -> Any { copied(to: INStartCallIntent(fields: fields)) }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? INStartCallIntent).map { $0.fields == fields && $0.images == images } ?? false
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

extension INStartCallIntent: UNNotificationContentProviding {}

@_spi(Simulation) extension INStartCallIntent: CommunicationProvider {
    public var communication: Communication? { speaks }
}
