import CarillonCore

/// The store's calls for an installation, which record its receipts and bring it up to date.
package struct SyncCalls: Sendable {
    let transactions: Transactions

    /// Records receipts, each only once, and applies their consequences.
    ///
    /// First, a read finds the receipts that may change something. If there are none, the call delays no writer. Otherwise, each
    /// transaction records at most ``StoreLimits/receiptsPerStep`` receipts.
    package func record(
        _ receipts: [Receipt], from device: String, at now: Timestamp
    ) async throws -> ReceiptOutcome {
        var left = try await transactions.read(at: now) { try SiftingReceipts($0).sift(receipts, from: device) }
        // Checks all receipts again, because a message may have been addressed to the device since the read.
        if !left.isEmpty { left = receipts }
        var outcome = ReceiptOutcome(recorded: [], events: [])
        while !left.isEmpty {
            let step = try await transactions.write(at: now) { [left] session in
                let new = try SiftingReceipts(session).sift(left, from: device)
                let recorded = try Recording(session).record(
                    Array(new.prefix(StoreLimits.receiptsPerStep)), from: device)
                return (recorded: recorded, events: session.events, left: new.dropFirst(StoreLimits.receiptsPerStep))
            }
            outcome.recorded += step.recorded
            outcome.events += step.events
            left = Array(step.left)
        }
        return outcome
    }

    /// Returns the answer to a device's request to sync, with at most `limit` removals, newest first; `nil` for an unknown
    /// device.
    package func answer(to device: String, limit: Int, at now: Timestamp) async throws -> SyncAnswer? {
        try await transactions.read(at: now) { try Syncing($0).answer(to: device, limit: limit) }
    }
}

/// The outcome of ``SyncCalls/record(_:from:at:)``.
package struct ReceiptOutcome: Sendable, Hashable {
    /// The receipts that were new and that concern a message of this device.
    package var recorded: [Receipt]
    var events: [TimelineEvent]
}
