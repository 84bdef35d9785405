import CarillonCore

/// The store's calls for an installation: to record its reports, and to bring it up to date.
package struct SyncCalls: Sendable {
    let transactions: Transactions

    /// Records receipts, each only once, and applies their consequences.
    package func record(
        _ receipts: [Receipt], from device: String, at now: Timestamp
    ) async throws -> ReceiptOutcome {
        try await transactions.write(at: now) { session in
            let recorded = try Recording(session).record(receipts, from: device)
            return ReceiptOutcome(recorded: recorded, events: session.events)
        }
    }

    /// Returns the answer to a device's sync, with at most `limit` removals, newest first; `nil` for an unknown device.
    package func answer(to device: String, limit: Int, at now: Timestamp) async throws -> SyncAnswer? {
        try await transactions.read(at: now) { try Syncing($0).answer(to: device, limit: limit) }
    }
}

/// The outcome of ``SyncCalls/record(_:from:at:)``.
package struct ReceiptOutcome: Sendable, Hashable {
    /// The receipts that were new and concern a message of this device.
    package var recorded: [Receipt]
    var events: [TimelineEvent]
}
