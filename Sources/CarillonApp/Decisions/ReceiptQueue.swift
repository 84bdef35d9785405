import CarillonCore

/// The receipts that the service has not confirmed yet, oldest first.
///
/// A receipt is in here, and on disk, before it is sent, and leaves only when the service has answered: what is sent
/// again after a lost answer has the same id, and counts once.
public struct ReceiptQueue: Sendable, Hashable, Codable {
    /// Beyond this many the oldest is given up.
    public static let countLimit = 1000
    /// What one request carries.
    public static let batchLimit = 100
    /// The longest `detail`, in bytes of UTF-8.
    public static let detailByteLimit = 200

    /// Makes ids unique among installations: random, made with the queue.
    public let prefix: String
    public private(set) var pending: [Receipt] = []
    public private(set) var droppedCount = 0
    public var backoff = RetryState()
    private var counter = 0

    /// - Parameter prefix: at most 40 characters of those that an id may have.
    public init(prefix: String) { self.prefix = prefix }

    public mutating func add(
        _ event: ReceiptEvent, of message: MessageID, revision: Int = 1, at serviceNow: Timestamp,
        detail: String? = nil
    ) {
        counter += 1
        let bounded = detail.map { String(decoding: $0.utf8.prefix(Self.detailByteLimit), as: UTF8.self) }
        let id = "\(prefix)-\(counter)"
        pending.append(
            Receipt(id: id, message: message, event: event, at: serviceNow, detail: bounded, revision: revision))
        if pending.count > Self.countLimit {
            pending.removeFirst()
            droppedCount += 1
        }
    }

    /// What to send now; empty when there is nothing, or when it is too early after a failure.
    public func batch(at phoneNow: Timestamp) -> [Receipt] {
        backoff.mayTry(at: phoneNow) ? Array(pending.prefix(Self.batchLimit)) : []
    }

    /// The service has these; or will never take them.
    public mutating func settled(_ receipts: [Receipt]) {
        let ids = Set(receipts.map(\.id))
        pending.removeAll { ids.contains($0.id) }
        backoff.succeeded()
    }

    public mutating func clear() { pending = [] }
}
