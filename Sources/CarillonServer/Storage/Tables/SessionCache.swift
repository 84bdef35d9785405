import CarillonCore
import Foundation

/// Rows that one call has read.
///
/// Many steps of a call concern one chunk or one message.
final class SessionCache {
    var chunks: [Int64: StoredChunk] = [:]
    /// The numbers of chunks that cannot be read.
    var unreadable: Set<Int64> = []
    /// The numbers of the changed ``chunks`` that have not been written back.
    var changed: Set<Int64> = []
    /// The first devices of chunks planned in this call, in the order of their places.
    var planned: [Int64: [RangedDevice]] = [:]
    var messages: [Int64: RangedMessage] = [:]
    /// Whether the store has range-sent messages; `nil` before the look-up.
    var hasRanges: Bool?
    /// Whether an app has range-sent messages that count as unread.
    var counting: [Int64: Bool] = [:]
    /// Whether an app has range-sent messages that devices must remove.
    var asking: [Int64: Bool] = [:]
    /// The devices for which this call has leased a push with all their removals.
    var told: Set<String> = []
    /// The contents of messages, by number.
    ///
    /// Within one call, a number names one message.
    var contents: [Int64: MessageContent] = [:]
    /// The encoded notices of recalled messages, by number.
    var notices: [Int64: Data] = [:]
    /// The devices of a message's single user, kept from counting until addressing.
    var counted: (user: String, app: Int64, devices: [SQLRow])?
}
