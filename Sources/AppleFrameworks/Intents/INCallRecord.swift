import Foundation

#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum INCallRecordType: Int, Sendable {
    case unknown = 0
    case outgoing = 1
    case missed = 2
    case received = 3
    case latest = 4
    case voicemail = 5
    case ringing = 6
    case inProgress = 7
    case onHold = 8
}

public struct INCallRecordTypeOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let outgoing = Self(rawValue: 1)
    public static let missed = Self(rawValue: 2)
    public static let received = Self(rawValue: 4)
    public static let latest = Self(rawValue: 8)
    public static let voicemail = Self(rawValue: 16)
    public static let ringing = Self(rawValue: 32)
    public static let inProgress = Self(rawValue: 64)
    public static let onHold = Self(rawValue: 128)
}

#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum INCallAudioRoute: Int, Sendable {
    case unknown = 0
    case speakerphoneAudioRoute = 1
    case bluetoothAudioRoute = 2
}

#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum INCallDestinationType: Int, Sendable {
    case unknown = 0
    case normal = 1
    case emergency = 2
    case voicemail = 3
    case redial = 4
    case callBack = 5
}

#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum INCallCapability: Int, Sendable {
    case unknown = 0
    case audioCall = 1
    case videoCall = 2
}

/// A past call. [INCallRecord](https://developer.apple.com/documentation/intents/incallrecord)
open class INCallRecord: NSObject {
    struct Fields: Codable, Hashable {
        var identifier: String
        var dateCreated: Date?
        var caller: INPerson.Fields?
        var callRecordType: Int
        var callCapability: Int
        var callDuration: Double?
        var unseen: Bool?
    }

    let fields: Fields

    init(fields: Fields) { self.fields = fields }

    /// Makes the record of a past call.
    ///
    /// - Parameter callDuration: the duration of the call, in seconds.
    public convenience init(
        identifier: String, dateCreated: Date? = nil, caller: INPerson? = nil, callRecordType: INCallRecordType,
        callCapability: INCallCapability, callDuration: Double? = nil, unseen: Bool? = nil
    ) {
        self.init(
            fields: Fields(
                identifier: identifier, dateCreated: dateCreated, caller: caller?.fields,
                callRecordType: callRecordType.rawValue, callCapability: callCapability.rawValue,
                callDuration: callDuration, unseen: unseen))
    }

    open var identifier: String { fields.identifier }
    open var dateCreated: Date? { fields.dateCreated }
    open var caller: INPerson? { fields.caller.map(INPerson.init(fields:)) }
    open var callRecordType: INCallRecordType { INCallRecordType(rawValue: fields.callRecordType) ?? .unknown }
    open var callCapability: INCallCapability { INCallCapability(rawValue: fields.callCapability) ?? .unknown }
    open var callDuration: Double? { fields.callDuration }
    open var unseen: Bool? { fields.unseen }
}

/// A filter that selects calls.
/// [INCallRecordFilter](https://developer.apple.com/documentation/intents/incallrecordfilter)
open class INCallRecordFilter: NSObject {
    struct Fields: Codable, Hashable {
        var participants: [INPerson.Fields]?
        var callTypes: UInt
        var callCapability: Int
    }

    let fields: Fields

    init(fields: Fields) { self.fields = fields }

    public convenience init(
        participants: [INPerson]?, callTypes: INCallRecordTypeOptions, callCapability: INCallCapability
    ) {
        self.init(
            fields: Fields(
                participants: participants?.map(\.fields), callTypes: callTypes.rawValue,
                callCapability: callCapability.rawValue))
    }

    open var participants: [INPerson]? { fields.participants?.map(INPerson.init(fields:)) }
    open var callTypes: INCallRecordTypeOptions { INCallRecordTypeOptions(rawValue: fields.callTypes) }
    open var callCapability: INCallCapability { INCallCapability(rawValue: fields.callCapability) ?? .unknown }
}
