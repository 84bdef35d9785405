import CarillonCore

/// The receipts that the service has not confirmed yet, oldest first.
///
/// A receipt leaves only when the service has answered. Its id follows from what it says, so what is sent again, after a
/// lost answer, by the app and its extension, or by an app that ended before it could save, counts once.
package struct ReceiptQueue: Sendable {
    /// The receipts that were added, and the ids of those that have left.
    package struct Change: Sendable, Hashable, Codable {
        var added: [Receipt] = []
        var removed: [String] = []

        func followed(by later: Change) -> Change {
            let gone = Set(later.removed)
            return Change(added: added.filter { !gone.contains($0.id) } + later.added, removed: removed + later.removed)
        }
    }

    /// Random, so that the ids of receipts are unique among installations.
    let prefix: String
    package private(set) var pending: [Receipt] = []
    /// Receipts that were dropped because too many waited.
    package internal(set) var droppedCount = 0
    /// When the next request may be sent.
    package var backoff = RetryState()
    private var change = Change()

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
    ///   - reply: cut to `Receipt.replyByteLimit`; the default is none.
    package mutating func add(
        _ event: ReceiptEvent, of message: MessageID, revision: Int = 1, at serviceNow: Timestamp,
        detail: String? = nil, reply: String? = nil
    ) {
        let bounded = detail.map { Self.cut($0, toBytes: AppLimits.receiptDetailBytes) }
        let said = [message.rawValue, "\(revision)", event.rawValue, bounded ?? ""].joined(separator: "\u{0}")
        let receipt = Receipt(
            id: "\(prefix)-\(Digest.hexadecimal(of: said.utf8))", message: message, event: event, at: serviceNow,
            detail: bounded, revision: revision,
            reply: reply.map { Self.cut($0, toBytes: Receipt.replyByteLimit) })
        append(receipt)
    }

    private mutating func append(_ receipt: Receipt) {
        pending.append(receipt)
        change.added.append(receipt)
        if pending.count > AppLimits.pendingReceipts {
            droppedCount += 1
            change.removed.append(pending.removeFirst().id)
        }
    }

    /// The receipts to send now; none when nothing waits, or when it is too early after a failure.
    package func batch(at phoneNow: Timestamp) -> [Receipt] {
        backoff.mayTry(at: phoneNow) ? Array(pending.prefix(AppLimits.receiptsPerBatch)) : []
    }

    /// Removes receipts that the service has confirmed, or refused for good.
    package mutating func settled(_ receipts: [Receipt]) {
        remove(receipts.map(\.id))
        backoff.succeeded()
    }

    package mutating func clear() { remove(pending.map(\.id)) }

    private mutating func remove(_ ids: [String]) {
        let leaving = Set(ids)
        pending.removeAll { leaving.contains($0.id) }
        change.added.removeAll { leaving.contains($0.id) }
        change.removed += ids
    }

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

    // MARK: The store

    /// Whether there is a receipt that was not saved; one that has left may be sent again.
    var hasUnsaved: Bool { !change.added.isEmpty }

    /// Takes the change that is to be saved; afterwards nothing counts as changed.
    mutating func takeChange() -> Change? {
        defer { change = Change() }
        return change.added.isEmpty && change.removed.isEmpty ? nil : change
    }

    /// Repeats a change that was saved.
    mutating func apply(_ change: Change) {
        let leaving = Set(change.removed)
        pending.removeAll { leaving.contains($0.id) }
        pending += change.added
    }

    /// Joins what another process has written; see ``StoreContents/join(_:)``.
    package mutating func join(_ other: Change) {
        let waiting = Set(pending.map(\.id))
        for receipt in other.added where !waiting.contains(receipt.id) { append(receipt) }
        let leaving = other.removed.filter { id in pending.contains { $0.id == id } }
        if !leaving.isEmpty { remove(leaving) }
    }
}

extension ReceiptQueue: Codable {
    // The names are keys of the store's files.
    private enum CodingKeys: String, CodingKey { case prefix, pending, droppedCount, backoff }
}

extension ReceiptQueue: Hashable {
    /// Receipts that have not been saved yet make no difference.
    package static func == (left: Self, right: Self) -> Bool {
        left.prefix == right.prefix && left.pending == right.pending && left.droppedCount == right.droppedCount
            && left.backoff == right.backoff
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(prefix)
        hasher.combine(pending)
    }
}
