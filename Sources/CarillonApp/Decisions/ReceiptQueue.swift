import CarillonCore

/// The receipts that the service has not confirmed yet, oldest first.
///
/// A receipt is in here, and on disk, before it is sent, and leaves only when the service has answered: what is sent
/// again after a lost answer has the same id, and counts once.
package struct ReceiptQueue: Sendable, Hashable, Codable {
    // The names of the stored properties are keys of the file `state.json`.

    /// Random, so that the ids of receipts are unique among installations.
    let prefix: String
    package private(set) var pending: [Receipt] = []
    /// Receipts that were dropped because too many waited.
    package private(set) var droppedCount = 0
    /// When the next request may be sent.
    package var backoff = RetryState()
    private var counter = 0

    /// - Parameter prefix: at most 40 of the characters that an id may have.
    package init(prefix: String) { self.prefix = prefix }

    /// Adds a receipt at the end; beyond ``AppLimits/pendingReceipts`` the oldest is dropped.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - message: of Carillon's own service.
    ///   - revision: of the message; the default is 1.
    ///   - serviceNow: the service's clock.
    ///   - detail: cut to ``AppLimits/receiptDetailBytes``; the default is none.
    package mutating func add(
        _ event: ReceiptEvent, of message: MessageID, revision: Int = 1, at serviceNow: Timestamp,
        detail: String? = nil
    ) {
        counter += 1
        let bounded = detail.map { Self.cut($0, toBytes: AppLimits.receiptDetailBytes) }
        let id = "\(prefix)-\(counter)"
        pending.append(
            Receipt(id: id, message: message, event: event, at: serviceNow, detail: bounded, revision: revision))
        if pending.count > AppLimits.pendingReceipts {
            pending.removeFirst()
            droppedCount += 1
        }
    }

    /// The receipts to send now; none when nothing waits, or when it is too early after a failure.
    package func batch(at phoneNow: Timestamp) -> [Receipt] {
        backoff.mayTry(at: phoneNow) ? Array(pending.prefix(AppLimits.receiptsPerBatch)) : []
    }

    /// Removes receipts that the service has confirmed, or refused for good.
    package mutating func settled(_ receipts: [Receipt]) {
        let ids = Set(receipts.map(\.id))
        pending.removeAll { ids.contains($0.id) }
        backoff.succeeded()
    }

    mutating func clear() { pending = [] }

    /// The beginning of a text, in whole characters: a part of one would become a replacement that is longer than it.
    private static func cut(_ text: String, toBytes limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var byteCount = 0
        return String(
            text.prefix { character in
                byteCount += character.utf8.count
                return byteCount <= limit
            })
    }
}
