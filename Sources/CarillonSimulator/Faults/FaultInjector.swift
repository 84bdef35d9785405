import CarillonCore
import DequeModule
import Synchronization

/// The scripted end of one request.
struct ScriptedAnswer: Sendable, Hashable {
    /// A GOAWAY with this reason in its debug data; `nil` for none.
    struct GoAway: Sendable, Hashable {
        var reason: RejectionReason?
    }

    /// The fault; `nil` to let the request pass.
    var fault: Fault?
    /// The time from the request to the answer; `nil` for the plan's latency.
    var delay: Duration?
    /// The GOAWAY that ends the connection after the answer; `nil` for none.
    var goAway: GoAway?
}

/// Decides which requests the simulator makes fail on purpose, and how.
///
/// A fault that a test scripts for a device token comes first, then one that it scripts for whichever request comes next. Other
/// faults occur at random, by the plan's probabilities and the simulator's seed.
public final class FaultInjector: Sendable {
    fileprivate struct State {
        var plan: FaultPlan
        var generator: SeededGenerator
        var scripts: [DeviceToken: Deque<ScriptedAnswer>] = [:]
        /// The faults for the next requests that have no script of their own.
        var anyScript: Deque<ScriptedAnswer> = []
    }

    /// The fault and the latency for one request.
    struct Decision: Sendable, Hashable {
        var fault: Fault?
        var delay = Duration.zero
        /// The GOAWAY that ends the connection after the answer; `nil` for none.
        var goAway: ScriptedAnswer.GoAway?

        func due(at now: Timestamp) -> Timestamp? { delay > .zero ? now + delay : nil }
    }

    private let state: Mutex<State>
    /// Whether the fault plan or a script could affect a request.
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
    /// At most 10,000 faults can wait for one device token; further faults are dropped.
    ///
    /// - Parameters:
    ///   - faults: the faults in order, added after the faults scripted earlier; an element `nil` lets one request pass.
    ///   - token: the device token in the path.
    public func script(_ faults: [Fault?], for token: DeviceToken) {
        script(faults.map { ScriptedAnswer(fault: $0) }, for: token)
    }

    /// Scripts the answers to the next requests for a device token, within ``SimulatorLimits/scriptLimit``.
    func script(_ answers: [ScriptedAnswer], for token: DeviceToken) {
        change { faultPlan in
            let free = SimulatorLimits.scriptLimit - faultPlan.scripts[token, default: []].count
            faultPlan.scripts[token, default: []].append(contentsOf: answers.prefix(max(0, free)))
        }
    }

    /// Scripts faults for the next requests whose device token has no script of its own, one fault for each request.
    ///
    /// At most 10,000 faults can wait; further faults are dropped.
    ///
    /// - Parameter faults: the faults in order, added after the faults scripted earlier; an element `nil` lets one request pass.
    public func script(_ faults: [Fault?]) {
        change { state in
            let free = max(0, SimulatorLimits.scriptLimit - state.anyScript.count)
            state.anyScript.append(contentsOf: faults.prefix(free).map { ScriptedAnswer(fault: $0) })
        }
    }

    /// Removes all faults: the plan and the scripts.
    public func clear() {
        change { state in
            state.plan = FaultPlan()
            state.scripts = [:]
            state.anyScript = []
        }
    }

    func decide(for head: RequestHead) -> Decision {
        guard isActive.load(ordering: .relaxed) else { return Decision() }
        let token = head.deviceToken
        return state.withLock { state in
            let delay = state.plan.latency.draw(using: &state.generator)
            let own = token.flatMap { state.takeScripted(for: $0) }
            if let scripted = own ?? state.anyScript.popFirst() {
                return Decision(fault: scripted.fault, delay: scripted.delay ?? delay, goAway: scripted.goAway)
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
            let isScripted = !state.scripts.isEmpty || !state.anyScript.isEmpty
            isActive.store(!state.plan.isEmpty || isScripted, ordering: .relaxed)
        }
    }
}

extension FaultInjector.State {
    /// Removes and returns the next scripted fault for a token.
    ///
    /// - Returns: the scripted answer; `nil` if nothing is scripted for the token.
    fileprivate mutating func takeScripted(for token: DeviceToken) -> ScriptedAnswer? {
        guard let next = scripts[token]?.popFirst() else { return nil }
        if scripts[token]?.isEmpty == true { scripts[token] = nil }
        return next
    }
}
