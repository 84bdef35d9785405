import CarillonCore

/// The store's calls for an installation, which record its receipts and bring it up to date.
package struct SyncCalls: Sendable {
    let transactions: Transactions

    /// Records receipts, each only once, and applies their consequences.
    ///
    /// If there are more than ``StoreLimits/receiptsCheckedSingly`` receipts, a read first finds those that may change something.
    /// If the read finds none, the call delays no writer. Otherwise, each transaction records at most
    /// ``StoreLimits/receiptsPerStep`` receipts.
    package func record(
        _ receipts: [Receipt], from device: String, at now: Timestamp
    ) async throws -> ReceiptOutcome {
        // For a few receipts, the writer's own checks cost less than a read before them.
        let areFew = receipts.count <= StoreLimits.receiptsCheckedSingly
        var left = receipts
        if !areFew,
            try await transactions.read(at: now, { try SiftingReceipts($0).sift(receipts, from: device).isEmpty })
        {
            left = []
        }
        var outcome = ReceiptOutcome(recorded: [], events: [])
        while !left.isEmpty {
            let step = try await transactions.write(at: now) { [left] session in
                // Checks all receipts again, because a message may have been addressed to the device since the read.
                let new = areFew ? left : try SiftingReceipts(session).sift(left, from: device)
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
