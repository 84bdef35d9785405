import CarillonCore
import Foundation

@testable import CarillonServer

/// Lets several callers make calls at once, and looks whether the reference gives the same answers in the order in which
/// PostgreSQL has let them write.
struct ConcurrentCalls {
    /// Calls of each caller, between which all is looked at.
    private static let callsPerRound = 5

    /// The reference, and how it is compared.
    var compared: ComparedCalls
    private var callers: [ConcurrentCaller]
    /// The reference's claims, by the store's leases.
    private var known: [Leased: ReferenceClaim] = [:]

    private struct Leased: Hashable {
        var number: Int64
        var epoch: Int
    }

    init(_ stores: [Store], seed: UInt64) {
        var compared = ComparedCalls(engine: stores[0], seed: seed)
        // Two callers of each process, since calls of one process share transactions.
        callers = (stores + stores).enumerated().map { index, store in
            ConcurrentCaller(
                PlacedEngine(store.transactions.engine), name: "caller-\(index)", chance: compared.chance.fork())
        }
        self.compared = compared
    }

    /// Moves the clock, lets all of them call, and looks at everything.
    ///
    /// - Returns: what no order explains, with the calls in their order; `nil` when nothing is left unexplained.
    mutating func playRound() async throws -> String? {
        compared.now = compared.now + compared.pick([.milliseconds(1), .seconds(1), .seconds(70), .seconds(700)])
        // What has ended by itself meanwhile is dealt with first, in as many steps as that takes.
        if let difference = try await endWhatHasExpired() { return difference }
        callers = try await withThrowingTaskGroup(of: (Int, ConcurrentCaller).self) { [now = compared.now] group in
            for (index, caller) in callers.enumerated() {
                group.addTask { (index, try await caller.made(Self.callsPerRound, at: now)) }
            }
            return try await group.reduce(into: callers) { $0[$1.0] = $1.1 }
        }
        return try await explain(callers.flatMap(\.calls))
    }

    private mutating func endWhatHasExpired() async throws -> String? {
        var request = ClaimRequest(sender: try await compared.engine.sender("purger"), limit: 1000)
        request.only = AppID(topic: "com.example.none", environment: .sandbox)
        return try await compared.claim(request)
    }

    private mutating func explain(_ calls: [PlacedCall]) async throws -> String? {
        let ordered = calls.sorted { ($0.place, $0.isReading ? 1 : 0) < ($1.place, $1.isReading ? 1 : 0) }
        for (index, call) in ordered.enumerated() {
            guard let difference = call.replay(&self) else { continue }
            let before = ordered[...index].map { "\($0.place) \($0.words)" }
            return "\(difference)\nthe calls in their order:\n\(before.joined(separator: "\n"))"
        }
        guard let difference = try await compared.differenceInState() else { return nil }
        return "\(difference)\nafter:\n\(ordered.map { "\($0.place) \($0.words)" }.joined(separator: "\n"))"
    }

    // MARK: Leases

    /// Compares what was claimed, and remembers what the reference calls it.
    mutating func difference(
        in claim: Claim, _ told: [TimelineEvent], by sender: SenderNumber, at now: Timestamp
    ) -> String? {
        let (expected, events) = compared.reference.call(at: now) { $0.claim(sender, only: nil) }
        let (difference, pairs) = compared.difference(ofClaimed: claim.deliveries, expected)
        for (claim, other) in pairs { known[Leased(number: claim.number, epoch: claim.lease.epoch)] = other }
        return difference ?? compared.difference(ofFound: told, events)
    }

    /// Returns the outcome of a push with the reference's number of it.
    func asReferenceHasIt(_ sent: SentPush) -> SentPush {
        guard let claim = known[Leased(number: sent.number, epoch: sent.lease.epoch)] else { return sent }
        return sent.changed { ($0.number, $0.lease.epoch) = (claim.number, claim.epoch) }
    }
}
