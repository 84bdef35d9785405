import CarillonCore
import Foundation

/// A cache of the rows that one store call has read or changed.
///
/// Many steps of a call need the same ``RangeChunk`` or message, so the cache avoids repeated SQL statements.
final class SessionCache {
    /// A property of an app's devices that Swift compares with conditions.
    struct ComparedColumn: Hashable {
        let app: AppNumber
        let field: ComparedField
    }

    /// A condition on one compared property in one app.
    struct Comparison: Hashable {
        let app: AppNumber
        let expression: AudienceExpression
    }

    /// The values of compared properties (``AudienceQuery``); the value `nil` stands for more than may be compared.
    var comparedValues: [ComparedColumn: [String]?] = [:]
    /// The values that conditions on compared properties select, each as a JSON array.
    var comparisons: [Comparison: String] = [:]
    var chunks: [Int64: StoredChunk] = [:]
    /// The numbers of chunks (``RangeChunk``) that cannot be decoded.
    var unreadable: Set<Int64> = []
    /// The numbers of those chunks in ``chunks`` that had nothing left to send when they were read.
    var finished: Set<Int64> = []
    /// The numbers of those chunks in ``chunks`` that have changes which are not in the database yet.
    var changed: Set<Int64> = []
    /// Reachable devices of each ``RangeChunk`` that this ``StoreSession`` has created, by the chunk's number.
    ///
    /// The session has read them to create the chunk, so it need not read them again to claim their pushes. They are in the
    /// order of their ordinals (running numbers in the app).
    var planned: [Int64: [RangedDevice]] = [:]
    var messages: [Int64: RangedMessage] = [:]
    /// Whether the store has messages whose deliveries are kept as bitmaps, a bit for each device (``RangeRules``); `nil` if this
    /// is not known yet.
    var hasRanges: Bool?
    /// By app number: whether the app has messages that count as unread and whose deliveries are kept as bitmaps, a bit for each
    /// device (``RangeRules``).
    var counting: [Int64: Bool] = [:]
    /// By app number: whether devices must still remove some of the app's messages whose deliveries are kept as bitmaps, a bit
    /// for each device (``RangeRules``).
    var asking: [Int64: Bool] = [:]
    /// The numbers of the removed apps whose rows are not all deleted; `nil` if this ``StoreSession`` has not read them yet.
    var removedApps: Set<Int64>?
    /// The ids of devices for which this ``StoreSession`` has leased a removal push, so that ``LeasingRemovals`` leases no
    /// second one.
    ///
    /// A removal push in Pushwoosh's format does not count, because it removes only one message.
    var told: Set<String> = []
    /// The contents of messages, by message number.
    var contents: [Int64: MessageContent] = [:]
    /// The notices that replace recalled messages, as JSON, by message number.
    var notices: [Int64: Data] = [:]
    /// The number of the message that this ``StoreSession`` has inserted; `nil` for none.
    ///
    /// Nobody else knows the message yet, so only the session itself can have addressed it to a device.
    var inserted: Int64?
    /// The ids of the devices to which the session has addressed the message that it has inserted.
    var addressed: Set<String> = []
}
