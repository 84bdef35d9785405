import CarillonCore

/// The store's calls of backends about Live Activities.
package struct LiveActivityCalls: Sendable {
    let transactions: Transactions

    /// Starts a Live Activity on the phones that its audience has now.
    package func start(_ new: NewActivity, at now: Timestamp) async throws -> ActivityAcceptance {
        // A count of very many devices holds up no writer.
        let counted =
            new.audience.isBroadcast
            ? try await transactions.costlyRead(for: new.app.number, at: now) {
                try AudienceQuery($0).count(new.audience, of: new.app.number)
            } : nil
        return try await transactions.write(at: now) { try ChangingActivities($0).start(new, counted: counted) }
    }

    /// Updates or ends a Live Activity on all its phones.
    ///
    /// A phone gets the newest state by its next push, whatever waits for it.
    package func change(
        _ change: LiveActivityChange, by actor: AuditActor, at now: Timestamp
    ) async throws -> ActivityAcceptance {
        try await transactions.write(at: now) { try ChangingActivities($0).change(change, by: actor) }
    }

    /// Records receipts of a phone, each only once, and returns the newest states of its Live Activities.
    package func record(
        _ receipts: [LiveActivityReceipt], from device: String, at now: Timestamp
    ) async throws -> LiveActivityStates {
        if !receipts.isEmpty {
            try await transactions.write(at: now) { try RecordingActivities($0).record(receipts, from: device) }
        }
        return LiveActivityStates(
            liveActivities: try await transactions.read(at: now) { try RecordingActivities($0).states(of: device) })
    }

    /// Returns what has happened on at most `limit` phones of a Live Activity; `nil` if the app has none with this id.
    ///
    /// - Parameters:
    ///   - id: the name of the Live Activity.
    ///   - app: the app.
    ///   - mark: the number at which the page before has ended; 0 for the first page.
    ///   - limit: the greatest number of phones.
    ///   - now: the present time.
    /// - Returns: the timeline.
    /// - Throws: the errors of the database.
    package func timeline(
        _ id: MessageID, of app: AppReference, after mark: Int64, limit: Int, at now: Timestamp
    ) async throws -> LiveActivityTimeline? {
        try await transactions.read(at: now) {
            try RecordingActivities($0).timeline(id, of: app.number, after: mark, limit: limit)
        }
    }

    /// Returns the state of a Live Activity, and the numbers of its phones in each state; `nil` if the app has none with this id.
    package func report(_ id: MessageID, of app: AppReference, at now: Timestamp) async throws -> LiveActivityReport? {
        try await transactions.read(at: now) { try ChangingActivities($0).report(id, of: app.number) }
    }
}
