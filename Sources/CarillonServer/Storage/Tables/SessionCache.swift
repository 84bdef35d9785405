import CarillonCore
import Foundation

/// A cache of the rows that one store call has read or changed.
///
/// The cache saves statements, because many steps of a call read the same ``RangeChunk`` or message again.
final class SessionCache {
    var chunks: [Int64: StoredChunk] = [:]
    /// The numbers of chunks (``RangeChunk``) that cannot be decoded.
    var unreadable: Set<Int64> = []
    /// The numbers of those chunks in ``chunks`` that have changes which are not in the database yet.
    var changed: Set<Int64> = []
    /// The first reachable devices of each ``RangeChunk`` that this call has created, by the chunk's number.
    ///
    /// The devices are in the order of their ordinals (running numbers in the app).
    var planned: [Int64: [RangedDevice]] = [:]
    var messages: [Int64: RangedMessage] = [:]
    /// Whether the store has messages that were sent as ranges of devices (``RangeRules``); `nil` if this call has not looked
    /// yet.
    var hasRanges: Bool?
    /// Whether an app has messages sent as ranges of devices (``RangeRules``) that count as unread for their users, by app
    /// number.
    var counting: [Int64: Bool] = [:]
    /// Whether an app has messages sent as ranges of devices (``RangeRules``) that some devices must remove, by app number.
    var asking: [Int64: Bool] = [:]
    /// The numbers of the removed apps whose rows are not all deleted; `nil` if this call has not read them yet.
    var removedApps: Set<Int64>?
    /// The ids of devices for which this call has leased a push that carries all removals of the device.
    var told: Set<String> = []
    /// The contents of messages, by message number.
    var contents: [Int64: MessageContent] = [:]
    /// The notices that replace recalled messages, as JSON, by message number.
    var notices: [Int64: Data] = [:]
    /// The devices of a user, if the call accepts a message that names only this user.
    ///
    /// The call reads these devices to count them, and uses the rows again to address the message to the devices.
    var counted: (user: String, app: Int64, devices: [SQLRow])?
}
