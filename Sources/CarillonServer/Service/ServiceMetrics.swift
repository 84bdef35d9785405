import CarillonCore
import Synchronization

/// The counters for `/metrics`, since this process started.
final class ServiceMetrics: Sendable {
    struct Snapshot: Sendable, Hashable {
        var messagesAccepted = 0
        /// The number of timeline events of each kind.
        var events: [TimelineEventKind: Int] = [:]
        /// The number of rejections, by the reason that APNs gave.
        var rejections: [String: Int] = [:]
        /// The number of new installations whose token APNs does not know.
        var unknownTokens = 0

        /// Counts a rejection by APNs under its reason.
        ///
        /// Each of the first ``ServiceLimits/rejectionReasons`` distinct reasons is counted alone, all further reasons together.
        fileprivate mutating func count(rejection reason: String) {
            let isKnown = rejections[reason] != nil || rejections.count < ServiceLimits.rejectionReasons
            rejections[isKnown ? reason : "other", default: 0] += 1
        }
    }

    private let state = Mutex(Snapshot())

    var snapshot: Snapshot { state.withLock { $0 } }

    func count(unknownTokens: Int) { state.withLock { $0.unknownTokens += unknownTokens } }

    func countMessage() { state.withLock { $0.messagesAccepted += 1 } }

    /// Counts pushes that APNs accepted and for which no timeline events were made.
    func count(accepted pushes: Int) {
        guard pushes > 0 else { return }
        state.withLock { state in
            state.events[.sent, default: 0] += pushes
            state.events[.accepted, default: 0] += pushes
        }
    }

    func count(_ events: [TimelineEvent]) {
        guard !events.isEmpty else { return }
        state.withLock { state in
            for event in events {
                state.events[event.event, default: 0] += 1
                if let reason = event.reason { state.count(rejection: reason) }
            }
        }
    }
}
