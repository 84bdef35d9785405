import CarillonCore

/// The receipts that the service has not confirmed yet, oldest first.
///
/// A receipt stays in the queue until the service has answered. Its id is derived from its content, so the service counts a
/// receipt once even if it arrives twice. A receipt arrives twice after a lost answer, if app and extension both send it, or if
/// the app ends before it can save.
package struct ReceiptQueue: BatchLane, Sendable {
    /// The added receipts, and the ids of the removed ones.
    package struct Change: StoreValue {
        var added: [Receipt] = []
        var removed: [String] = []
    }

    /// A random text at the beginning of every receipt's id, so that no two installations use equal ids.
    var prefix: String
    package private(set) var pending: [Receipt] = []
    /// The number of receipts that were dropped because too many waited.
    package internal(set) var droppedCount = 0
    package var backoff = RetryState()
    package var size = BatchSize(AppLimits.receiptsPerBatch)
    private var change = Change()

    /// Creates an empty queue.
    ///
    /// - Parameter prefix: a random text with which the id of each receipt begins; at most 40 characters, all allowed in such an
    ///   id.
    package init(prefix: String) { self.prefix = prefix }

    /// Adds a receipt at the end; drops the oldest receipt if more than ``AppLimits/pendingReceipts`` now wait.
    ///
    /// - Parameters:
    ///   - event: the receipt's event.
    ///   - message: the id of a message of Carillon's own service.
    ///   - revision: the message's revision; the default is 1.
    ///   - serviceNow: the service's time.
    ///   - detail: the reason or the action, cut to ``AppLimits/receiptDetailBytes``; the default is none.
    ///   - reply: the person's text, cut to `Receipt.replyByteLimit`; the default is none.
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

    /// Drops all receipts, and ends the back-off.
    package mutating func clear() {
        remove(pending)
        backoff.succeeded()
    }

    package mutating func remove(_ receipts: [Receipt]) { remove(receipts.map(\.id)) }

    private mutating func remove(_ ids: [String]) {
        let leaving = Set(ids)
        pending.removeAll { leaving.contains($0.id) }
        change.added.removeAll { leaving.contains($0.id) }
        change.removed += ids
    }

    /// Returns the longest beginning of a text that fits into a number of bytes without splitting a character.
    ///
    /// Half a character would become a replacement character, which may be longer.
    static func cut(_ text: String, toBytes limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var byteCount = 0
        return String(
            text.prefix { character in
                byteCount += character.utf8.count
                return byteCount <= limit
            })
    }

    /// Merges the receipts of another process; see ``StoreContents/join(_:)``.
    ///
    /// If that process has sent waiting receipts, the service answers again, so the back-off ends.
    mutating func join(_ other: Change) {
        let waiting = Set(pending.map(\.id))
        for receipt in other.added where !waiting.contains(receipt.id) { append(receipt) }
        let leaving = other.removed.filter { id in pending.contains { $0.id == id } }
        guard !leaving.isEmpty else { return }
        remove(leaving)
        backoff.succeeded()
    }
}

extension ReceiptQueue: TrackedEntries {
    mutating func takeChange() -> Change? {
        defer { change = Change() }
        return change.added.isEmpty && change.removed.isEmpty ? nil : change
    }

    var everything: Change { Change(added: pending) }

    /// Whether an added receipt is not saved yet.
    ///
    /// Unsaved removals do not count, because sending a receipt again is harmless.
    var mustBeSaved: Bool { !change.added.isEmpty }

    mutating func apply(_ change: Change) {
        let leaving = Set(change.removed)
        pending.removeAll { leaving.contains($0.id) }
        pending += change.added
    }
}

extension ReceiptQueue: Hashable {
    /// Compares two queues, and ignores which of their receipts are saved.
    package static func == (left: Self, right: Self) -> Bool {
        left.prefix == right.prefix && left.pending == right.pending && left.droppedCount == right.droppedCount
            && left.backoff == right.backoff
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(prefix)
        hasher.combine(pending)
    }
}
