import CarillonCore
import Foundation

/// Rows that one call has read: many of its steps concern one chunk or one message.
final class SessionCache {
    var chunks: [Int64: StoredChunk] = [:]
    /// The numbers of chunks that cannot be read.
    var unreadable: Set<Int64> = []
    /// The numbers of ``chunks`` that are still to be written back.
    var changed: Set<Int64> = []
    /// The first devices of chunks that were planned a moment ago, in the order of their places.
    var planned: [Int64: [RangedDevice]] = [:]
    var messages: [Int64: RangedMessage] = [:]
    /// Whether any message is sent by ranges; `nil` until it is looked up.
    var hasRanges: Bool?
    /// Whether any range-sent message counts as unread, by app.
    var counting: [Int64: Bool] = [:]
    /// Whether devices must remove any range-sent message, by app.
    var asking: [Int64: Bool] = [:]
    /// The devices to which this call has leased a push that carries all their removals.
    var told: Set<String> = []
    /// The contents of messages, by number: within one call a number names one message.
    var contents: [Int64: MessageContent] = [:]
    /// The notices of those messages that were recalled with one.
    var notices: [Int64: Data] = [:]
    /// The devices of a message's single user, kept from counting to addressing.
    var counted: (user: String, app: Int64, devices: [SQLRow])?
}
