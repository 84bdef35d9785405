import CarillonCore

/// The store's calls for a device's own requests: they record its receipts and bring the device up to date.
package struct SyncCalls: Sendable {
    let transactions: Transactions

    /// Records receipts of a device, each only once, and applies their consequences.
    ///
    /// Each transaction records at most ``StoreLimits/receiptsPerStep`` receipts. If the call has more than
    /// ``StoreLimits/receiptsCheckedSingly`` receipts, a read first finds those that may change something. If there are none, the
    /// call writes nothing, so that it delays no writer.
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
        var outcome = ReceiptOutcome(recorded: [], shownAfter: [])
        while !left.isEmpty {
            let step = try await transactions.write(at: now) { [left] session in
                // Checks all receipts again, because a message may have been addressed to the device since the read.
                let new = areFew ? left : try SiftingReceipts(session).sift(left, from: device)
                let recorded = try Recording(session).record(
                    Array(new.prefix(StoreLimits.receiptsPerStep)), from: device)
                return (recorded: recorded, left: new.dropFirst(StoreLimits.receiptsPerStep))
            }
            outcome.recorded += step.recorded.map(\.receipt)
            outcome.shownAfter += step.recorded.compactMap(\.shownAfter)
            left = Array(step.left)
        }
        return outcome
    }

    /// Returns the answer to a device's request to sync; `nil` for an unknown device.
    ///
    /// The answer has at most `limit` removals (requests to remove a message), the newest first.
    package func answer(to device: String, limit: Int, at now: Timestamp) async throws -> SyncAnswer? {
        try await transactions.read(at: now) { try Syncing($0).answer(to: device, limit: limit) }
    }
}

/// The outcome of recording a device's receipts (``SyncCalls/record(_:from:at:)``).
package struct ReceiptOutcome: Sendable, Hashable {
    /// The receipts that the call has recorded: those that are new and that concern a message of this device.
    package var recorded: [Receipt]
    /// The times from APNs' acceptance of a push to its receipt `shown`, as far as they are known.
    var shownAfter: [Duration]
}
