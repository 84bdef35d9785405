import CarillonCore

/// The store's calls of senders about the broadcast channels of Live Activities.
package struct ChannelCalls: Sendable {
    let transactions: Transactions

    /// Claims channels for a sender, without writing if none is due.
    func claim(
        for sender: SenderNumber, busy: [Int64], limit: Int, at now: Timestamp
    ) async throws -> ChannelClaim {
        let (isDue, next) = try await transactions.read(at: now) { session in
            let channels = ActivityChannelsTable(session)
            return (try !channels.due(for: sender, busy: busy, limit: 1).isEmpty, try channels.nextDue())
        }
        guard isDue else { return ChannelClaim(nextDue: next) }
        return try await transactions.write(at: now) {
            try ChannelWork($0).claim(for: sender, busy: busy, limit: limit)
        }
    }

    /// Stores the app's channels before a request to make one.
    func beforeMaking(
        _ claimed: ClaimedChannel, _ listed: [String], at now: Timestamp
    ) async throws -> (found: String?, candidates: [String], isHeld: Bool) {
        try await transactions.write(at: now) { try ChannelWork($0).beforeMaking(claimed, listed) }
    }

    /// Stores the answer to a request.
    func settle(_ claimed: ClaimedChannel, _ answer: ChannelAnswer, jitter: Double, at now: Timestamp) async throws {
        try await transactions.write(at: now) { try ChannelWork($0).settle(claimed, answer, jitter: jitter) }
    }
}
