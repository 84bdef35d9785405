import CarillonCore
import CarillonSimulator
import Foundation
import Synchronization
import Testing

@testable import CarillonAPNs

/// The client's claims about every send, to be compared with the simulator's journal.
final class AnswerRecord: Sendable {
    typealias Claim = Result<APNsOutcome, APNsError>

    private let claims = Mutex<[UUID: [Claim]]>([:])
    private let total = Atomic(0)

    /// Tells that further sends have ended.
    let ends: AsyncStream<Void>
    private let ended: AsyncStream<Void>.Continuation

    init() { (ends, ended) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// The number of sends that have ended.
    var count: Int { total.load(ordering: .relaxed) }

    func write(_ id: UUID, _ claim: Claim) {
        claims.withLock { $0[id, default: []].append(claim) }
        total.add(1, ordering: .relaxed)
        ended.yield()
    }

    /// - Parameter count: how many sends there were, numbered from 1.
    func check(_ count: Int, against requests: [RequestRecord], again: String) -> Sums {
        let decisions = Dictionary(grouping: requests) { $0.apnsID.lowercased() }.mapValues { $0.map(\.decision) }
        let claims = claims.withLock { $0 }
        #expect(claims.count == count, "every send has ended, and nothing else has; \(again)")
        var sums = Sums()
        for number in 1...count {
            let id = TestValues.uuid(number)
            let ends = claims[id] ?? []
            let seen = decisions[id.uuidString.lowercased()] ?? []
            guard ends.count == 1, let end = ends.first, Self.isTrue(end, seen) else {
                sums.untrue += 1
                if sums.untrue <= 5 { Issue.record("send \(number): \(ends), but APNs: \(seen); \(again)") }
                continue
            }
            sums.count(end)
        }
        #expect(Set(decisions.keys).isSubset(of: Set(claims.keys.map { $0.uuidString.lowercased() })))
        return sums
    }

    struct Sums: Sendable {
        var accepted = 0
        var rejected: [APNsReason: Int] = [:]
        var notSent = 0
        var unknown = 0
        var untrue = 0

        mutating func count(_ claim: Claim) {
            switch claim {
            case .success(.accepted): accepted += 1
            case .success(.rejected(let rejection)): rejected[rejection.reason, default: 0] += 1
            case .failure(let error): if error.mayHaveArrived { unknown += 1 } else { notSent += 1 }
            }
        }
    }

    /// Whether a claim agrees with all that arrived under the notification's id.
    private static func isTrue(_ claim: Claim, _ seen: [RequestRecord.Decision]) -> Bool {
        let accepted = seen.count { $0 == .accepted }
        guard accepted <= 1 else { return false }
        switch claim {
        case .success(.accepted): return accepted == 1
        case .success(.rejected(let rejection)):
            guard accepted == 0 else { return false }
            return seen.contains { decision in
                switch decision {
                case .rejected(let theirs):
                    theirs.reason.rawValue == rejection.reason.rawValue && theirs.status == rejection.status
                case .failed(.answer(let status, _, _)): status == rejection.status
                default: false
                }
            }
        case .failure(let error): return error.mayHaveArrived || accepted == 0
        }
    }
}
