import CarillonCore
import DequeModule
import Synchronization

/// Decides which requests fail, and how.
///
/// A fault that a test scripts for a device token comes first. Other faults occur at random, by the plan's probabilities and the
/// simulator's seed.
public final class FaultInjector: Sendable {
    fileprivate struct State {
        var plan: FaultPlan
        var generator: SeededGenerator
        var scripts: [DeviceToken: Deque<Fault?>] = [:]
    }

    /// The fault and the latency for one request.
    struct Decision: Sendable, Hashable {
        var fault: Fault?
        var delay = Duration.zero

        func due(at now: Timestamp) -> Timestamp? { delay > .zero ? now + delay : nil }
    }

    private let state: Mutex<State>
    /// Whether there are any faults.
    ///
    /// The flag lets most requests skip the lock.
    private let isActive: Atomic<Bool>

    init(plan: FaultPlan, generator: SeededGenerator) {
        state = Mutex(State(plan: plan, generator: generator))
        isActive = Atomic(!plan.isEmpty)
    }

    /// The plan of faults for all later requests.
    ///
    /// A new plan applies to open connections too.
    public var plan: FaultPlan {
        get { state.withLock(\.plan) }
        set { change { $0.plan = newValue } }
    }

    /// Scripts faults for the next requests for a device token, one fault for each request.
    ///
    /// - Parameters:
    ///   - faults: the faults in order, added after the faults scripted earlier; an element `nil` lets one request pass.
    ///   - token: the device token in the path.
    public func script(_ faults: [Fault?], for token: DeviceToken) {
        change { faultPlan in
            let free = SimulatorLimits.scriptLimit - faultPlan.scripts[token, default: []].count
            faultPlan.scripts[token, default: []].append(contentsOf: faults.prefix(max(0, free)))
        }
    }

    /// Removes all faults: the plan and the scripts.
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

    /// The fault plan for a connection's next request; `nil` if the plan and the scripts are empty.
    var connectionPlan: FaultPlan? { isActive.load(ordering: .relaxed) ? plan : nil }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            isActive.store(!state.plan.isEmpty || !state.scripts.isEmpty, ordering: .relaxed)
        }
    }
}

extension FaultInjector.State {
    /// Removes and returns the next scripted fault for a token.
    ///
    /// - Returns: the fault; `nil` if nothing is scripted; `.some(nil)` if the script lets this request pass.
    fileprivate mutating func takeScripted(for token: DeviceToken) -> Fault?? {
        guard let next = scripts[token]?.popFirst() else { return nil }
        if scripts[token]?.isEmpty == true { scripts[token] = nil }
        return .some(next)
    }
}
