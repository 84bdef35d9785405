import CarillonCore
import Foundation

/// A cache of the rows that one call to the store has read.
///
/// Many steps of a call read the same ``RangeChunk`` or message again.
final class SessionCache {
    var chunks: [Int64: StoredChunk] = [:]
    /// The numbers of chunks (``RangeChunk``) that cannot be decoded.
    var unreadable: Set<Int64> = []
    /// The numbers of the chunks in ``chunks`` whose changes are not in the database yet.
    var changed: Set<Int64> = []
    /// The first reachable devices of the chunks (``RangeChunk``) that this call has created, by chunk number, in the order of
    /// their ordinals (running numbers in the app).
    var planned: [Int64: [RangedDevice]] = [:]
    var messages: [Int64: RangedMessage] = [:]
    /// Whether the store has messages that were sent as ranges of devices (``RangeRules``); `nil` before the look-up.
    var hasRanges: Bool?
    /// Whether an app has messages that were sent as ranges of devices (``RangeRules``) and that count as unread, by app number.
    var counting: [Int64: Bool] = [:]
    /// Whether an app has messages that were sent as ranges of devices (``RangeRules``) and that devices must remove, by app
    /// number.
    var asking: [Int64: Bool] = [:]
    /// The ids of the devices for which this call has leased a push that also carries all their removals.
    var told: Set<String> = []
    /// The contents of messages, by message number.
    var contents: [Int64: MessageContent] = [:]
    /// The notices that replace recalled messages, as JSON, by message number.
    var notices: [Int64: Data] = [:]
    /// The devices of the only user that a message names.
    ///
    /// The call reads these devices to count them, and uses the rows again to address the message to the devices.
    var counted: (user: String, app: Int64, devices: [SQLRow])?
}
