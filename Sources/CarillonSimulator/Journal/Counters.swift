import Synchronization

/// Counts connections, requests and deliveries for ``APNsSimulator/metrics``.
final class Counters: Sendable {
    enum Outcome {
        case accepted
        case rejected(RejectionReason)
        case failed
    }

    struct Values: Sendable, Hashable {
        var accepted = 0
        var failed = 0
        var rejected: [RejectionReason: Int] = [:]
        var connections = 0
        var delivered = 0
        var stored = 0
        var discarded: [DeviceEvent.DiscardCause: Int] = [:]
    }

    private let state = Mutex(Values())

    var values: Values { state.withLock { $0 } }

    func count(_ outcome: Outcome) {
        state.withLock { values in
            switch outcome {
            case .accepted: values.accepted += 1
            case .rejected(let reason): values.rejected[reason, default: 0] += 1
            case .failed: values.failed += 1
            }
        }
    }

    func countConnection() { state.withLock { $0.connections += 1 } }

    func count(_ kind: DeviceEvent.Kind) {
        state.withLock { values in
            switch kind {
            case .delivered: values.delivered += 1
            case .stored: values.stored += 1
            case .discarded(let cause): values.discarded[cause, default: 0] += 1
            default: break
            }
        }
    }
}
