import CarillonCore
import Foundation
import NIOCore
import Synchronization

/// The devices that the simulator serves: each has an id, tokens for its apps, and now and then a connection.
///
/// All of it may be called from any thread, also from within a `deliver` closure.
public final class DeviceFleet: Sendable {
    struct State {
        var store: DeviceStore
        var lines: [Int: DeviceConnection] = [:]
        var generator: SeededGenerator
    }

    private let state: Mutex<State>
    private let clock: any CarillonClock
    private let journal: Journal
    private let counters: Counters
    private let tokenByteCount: Int

    init(
        rules: DeliveryRules, tokenByteCount: Int, clock: any CarillonClock, generator: SeededGenerator,
        journal: Journal, counters: Counters
    ) {
        state = Mutex(State(store: DeviceStore(rules: rules), generator: generator))
        self.tokenByteCount = tokenByteCount
        self.clock = clock
        self.journal = journal
        self.counters = counters
    }

    /// The device token of an app: the same one each time, until it is invalidated.
    ///
    /// - Parameters:
    ///   - device: the device's id; a new one makes a new device, which is offline.
    ///   - topic: the app's bundle id.
    ///   - environment: where the token will be good; elsewhere a sender is told BadDeviceToken.
    public func issueToken(device: String, topic: String, environment: APNsEnvironment) -> Data {
        perform { state, _ in
            let fresh = state.generator.deviceToken(byteCount: tokenByteCount)
            let owner = DeviceStore.TokenOwner(bundleID: topic, environment: environment)
            let (token, actions) = state.store.issueToken(device: device, owner: owner, fresh: fresh)
            return (token.data, actions)
        }
    }

    /// The app was deleted or has unregistered: senders get 410 Unregistered from now on, or after
    /// ``DeliveryRules/unregisteredDelay``. A token that is unknown or no longer good is left as it is.
    public func invalidate(_ token: Data) { end(token, .unregistered) }

    /// The token has come of age: senders get 410 ExpiredToken.
    public func expire(_ token: Data) { end(token, .expiredToken) }

    private func end(_ token: Data, _ reason: RejectionReason) {
        guard let token = DeviceToken(token) else { return }
        perform { state, now in ((), state.store.invalidate(token, reason: reason, at: now)) }
    }

    /// The device has a network: what is kept for it goes to `deliver` before this returns, later pushes as they come.
    ///
    /// - Parameter deliver: called one push at a time, in order, on a thread of the simulator's; it must not block.
    public func connect(device: String, deliver: @escaping @Sendable (SimulatorPush) -> Void) {
        attach(device: device, deliver: deliver)
    }

    /// - Returns: the line, for ``detach(device:line:)``.
    @discardableResult
    func attach(device: String, deliver: @escaping @Sendable (SimulatorPush) -> Void) -> DeviceConnection {
        perform { state, now in
            let index = state.store.register(device)
            let line = DeviceConnection(deliver: deliver) { [weak self] push, late in
                self?.perform { state, _ in ((), state.store.delivered(push, to: index, late: late)) }
            }
            state.lines[index] = line
            return (line, state.store.connect(index, at: now))
        }
    }

    /// That line is gone. A device that has another one by now stays online: phones come back before a network notices
    /// that they went.
    func detach(device: String, line: DeviceConnection) async {
        await disconnect(device: device) { $0 === line }
    }

    /// The device has no network any more: nothing is handed to it once this has returned.
    public func disconnect(device: String) async { await disconnect(device: device) { _ in true } }

    private func disconnect(device: String, if isMeant: @Sendable (DeviceConnection?) -> Bool) async {
        let line = perform { state, _ -> (DeviceConnection?, [DeviceStore.Action]) in
            guard let index = state.store.index(of: device), isMeant(state.lines[index]) else { return (nil, []) }
            return (state.lines.removeValue(forKey: index), state.store.disconnect(index))
        }
        guard let left = await line?.close(), !left.isEmpty else { return }
        perform { state, now in ((), left.flatMap { state.store.accept($0, at: now) }) }
    }

    /// Says how ready the device is; what waited only for that goes out before this returns.
    public func setPower(_ power: DevicePower, device: String) {
        perform { state, now in
            let index = state.store.register(device)
            return ((), state.store.setPower(power, of: index, at: now))
        }
    }

    /// The knobs of store-and-forward; what waits already keeps the end that it was given.
    public var rules: DeliveryRules {
        get { state.withLock(\.store.rules) }
        set { state.withLock { $0.store.rules = newValue } }
    }

    /// A copy of everything that is known, at this moment.
    var store: DeviceStore { state.withLock(\.store) }

    // MARK: - For the connections

    /// Makes the last checks and takes the push, in one step.
    ///
    /// - Parameter onAcceptance: called before anything becomes of the push, so that the journal is in order.
    func submit(
        _ request: PushRequest, to target: RequestTarget, id: UUID, payload: ByteBuffer,
        in environment: APNsEnvironment, onAcceptance: () -> Void
    ) throws(Rejection) {
        let result = perform { state, now -> (Result<Void, Rejection>, [DeviceStore.Action]) in
            do throws(Rejection) {
                let (token, entry) = try state.store.check(target, for: request, in: environment, at: now)
                onAcceptance()
                let push = SimulatorPush(
                    device: state.store.devices[entry.device].id, token: token, topic: request.topic,
                    bundleID: request.bundleID,
                    pushType: request.pushType, payload: Data(payload.readableBytesView),
                    collapseID: request.collapseID, apnsID: id, priority: request.priority,
                    expiration: request.expiration)
                return (.success(()), state.store.accept(push, for: entry, at: now))
            } catch {
                return (.failure(error), [])
            }
        }
        try result.get()
    }

    // MARK: - Acting

    /// Decides under the lock, then acts without it.
    @discardableResult
    func perform<Value: Sendable>(
        _ decide: (inout State, Timestamp) -> (Value, [DeviceStore.Action])
    ) -> Value {
        let now = clock.now
        let (result, lines, wakes) = state.withLock { state in
            let (result, actions) = decide(&state, now)
            let (lines, wakes) = arrange(actions, in: state, at: now)
            return (result, lines, wakes)
        }
        for line in lines { line.drain() }
        for (device, moment) in wakes { wake(device, at: moment) }
        return result
    }

    /// Puts pushes in line and events into the journal, in the order in which they were decided.
    private func arrange(
        _ actions: [DeviceStore.Action], in state: State, at now: Timestamp
    ) -> (lines: [DeviceConnection], wakes: [(Int, Timestamp)]) {
        var lines: [DeviceConnection] = []
        var wakes: [(Int, Timestamp)] = []
        for action in actions {
            switch action {
            case .deliver(let device, let push, let late):
                guard let line = state.lines[device] else { continue }
                line.append(push, late: late)
                if lines.last !== line { lines.append(line) }
            case .record(let event):
                record(event, at: now)
            case .wake(let device, let moment):
                wakes.append((device, moment))
            }
        }
        return (lines, wakes)
    }

    private func record(_ event: DeviceEvent, at now: Timestamp) {
        counters.count(event.kind)
        journal.append(.device(event), at: now)
    }

    private func wake(_ device: Int, at moment: Timestamp) {
        _ = clock.schedule(at: moment) { [weak self] in
            guard let self else { return }
            perform { state, now in ((), state.store.wake(device: device, at: now)) }
        }
    }
}
