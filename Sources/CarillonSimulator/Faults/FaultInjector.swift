import CarillonCore
import DequeModule
import Synchronization

/// Decides which requests fail: scripted answers first, then at random, by the plan's probabilities and the seed.
public final class FaultInjector: Sendable {
    fileprivate struct State {
        var plan: FaultPlan
        var generator: SeededGenerator
        var scripts: [DeviceToken: Deque<Fault?>] = [:]
    }

    /// The fault and the delay for one request.
    struct Decision: Sendable, Hashable {
        var fault: Fault?
        var delay = Duration.zero

        func due(at now: Timestamp) -> Timestamp? { delay > .zero ? now + delay : nil }
    }

    private let state: Mutex<State>
    /// Whether there are any faults; it spares the usual request the lock.
    private let isActive: Atomic<Bool>

    init(plan: FaultPlan, generator: SeededGenerator) {
        state = Mutex(State(plan: plan, generator: generator))
        isActive = Atomic(!plan.isEmpty)
    }

    /// The faults from now on; they apply to open connections too.
    public var plan: FaultPlan {
        get { state.withLock(\.plan) }
        set { change { $0.plan = newValue } }
    }

    /// Scripts the next requests for a device token: each of them meets one of `faults`, in order.
    ///
    /// - Parameters:
    ///   - faults: the faults; `nil` lets a request pass. They come after those that were scripted before.
    ///   - token: the device token of the path.
    public func script(_ faults: [Fault?], for token: DeviceToken) {
        change { $0.scripts[token, default: []].append(contentsOf: faults.prefix(SimulatorLimits.scriptLimit)) }
    }

    /// Ends all faults: no plan, no scripts.
    public func clear() {
        change { state in
            state.plan = FaultPlan()
            state.scripts = [:]
        }
    }

    func decide(for head: RequestHead) -> Decision {
        guard isActive.load(ordering: .relaxed) else { return Decision() }
        let token = head.deviceToken
        return state.withLock { state in
            let delay = state.plan.latency.draw(using: &state.generator)
            if let token, let scripted = state.takeScripted(for: token) {
                return Decision(fault: scripted, delay: delay)
            }
            let drawn = state.plan.rates.first { Double.random(in: 0..<1, using: &state.generator) < $0.probability }
            return Decision(fault: drawn?.fault, delay: delay)
        }
    }

    /// The parts of the plan that a connection asks for with every request.
    var connectionPlan: FaultPlan? { isActive.load(ordering: .relaxed) ? plan : nil }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            isActive.store(!state.plan.isEmpty || !state.scripts.isEmpty, ordering: .relaxed)
        }
    }
}

extension FaultInjector.State {
    /// - Returns: `nil` when no fault is scripted; `.some(nil)` when this request is scripted to pass.
    fileprivate mutating func takeScripted(for token: DeviceToken) -> Fault?? {
        guard let next = scripts[token]?.popFirst() else { return nil }
        if scripts[token]?.isEmpty == true { scripts[token] = nil }
        return .some(next)
    }
}
