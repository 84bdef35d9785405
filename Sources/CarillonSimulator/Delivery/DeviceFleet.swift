import CarillonCore
import Foundation
import NIOCore
import Synchronization

/// The devices of a simulator.
///
/// Each device has an id, tokens for its apps, and a connection while it is online. All methods may be called from any thread,
/// even from a `deliver` closure of ``connect(device:deliver:)``.
public final class DeviceFleet: Sendable {
    struct State {
        var store: DeviceStore
        /// The open connections by device index; `nil` for a device that is offline.
        ///
        /// The array is shorter than the list of devices if the last devices have never been connected.
        var connections: [DeviceConnection?] = []
        /// The closed connections that may still be delivering a push, by device index.
        var closing: [Int: [DeviceConnection]] = [:]
        var generator: SeededGenerator

        func connection(of device: Int) -> DeviceConnection? {
            device < connections.count ? connections[device] : nil
        }

        /// Brings a device online.
        mutating func attach(_ connection: DeviceConnection, at now: Timestamp) -> [DeviceStore.Action] {
            let index = connection.device
            while connections.count <= index { connections.append(nil) }
            // What the device has not got over its earlier connection comes first over this one.
            let left = connections[index]?.close() ?? []
            connections[index] = connection
            let again = left.map { DeviceStore.Action.deliver(device: index, $0.push, late: $0.late) }
            return again + store.connect(index, at: now)
        }
    }

    private let state: Mutex<State>
    private let clock: any CarillonClock
    private let journal: Journal
    private let counters: Counters
    private let tokenByteCount: Int
    /// Whether an unknown token becomes a device's token with the first push to it (``SimulatorDoor/anyToken``).
    private let takesAnyToken: Bool
    /// The weak reference to this object that all devices' connections share, because a strong one would be a reference cycle.
    private let reference = FleetReference()

    convenience init(
        _ configuration: SimulatorConfiguration, generator: SeededGenerator, journal: Journal, counters: Counters
    ) {
        self.init(
            rules: configuration.delivery, tokenByteCount: configuration.deviceTokenByteCount,
            takesAnyToken: configuration.doors.contains(.anyToken), clock: configuration.clock, generator: generator,
            journal: journal, counters: counters)
    }

    init(
        rules: DeliveryRules, tokenByteCount: Int, takesAnyToken: Bool = false, clock: any CarillonClock,
        generator: SeededGenerator, journal: Journal, counters: Counters
    ) {
        state = Mutex(State(store: DeviceStore(rules: rules), generator: generator))
        self.tokenByteCount = tokenByteCount
        self.takesAnyToken = takesAnyToken
        self.clock = clock
        self.journal = journal
        self.counters = counters
        reference.fleet.withLock { $0.value = self }
    }

    /// Returns the token of an app on a device.
    ///
    /// Further calls return this token until it is invalidated. An invalidated token is never issued again.
    ///
    /// - Parameters:
    ///   - device: the device's id. An unknown id creates a device, which is offline.
    ///   - topic: the app's bundle id.
    ///   - environment: the environment in which the token is valid. A request in the other environment gets BadDeviceToken.
    ///   - earlier: the app's token from an earlier simulator, to keep. The default, `nil`, makes a new token.
    ///   - isNew: whether to make a further token although the app has a valid one, as each Live Activity has a token of its own.
    ///     The default is `false`.
    /// - Returns: the token's bytes, as UIKit passes them to an app.
    public func issueToken(
        device: String, topic: String, environment: APNsEnvironment, earlier: Data? = nil, isNew: Bool = false
    ) -> Data {
        perform { state, _ in
            var fresh = state.generator.deviceToken(byteCount: tokenByteCount)
            while state.store.hasIssued(fresh) { fresh = state.generator.deviceToken(byteCount: tokenByteCount) }
            if let earlier = earlier.flatMap({ DeviceToken($0) }), !state.store.hasIssued(earlier) { fresh = earlier }
            let owner = DeviceStore.TokenOwner(bundleID: topic, environment: environment)
            let (token, actions) = state.store.issueToken(
                device: device, owner: owner, fresh: fresh, isNew: isNew)
            return (token.data, actions)
        }
    }

    /// Ends a token, because the app was deleted or has unregistered.
    ///
    /// Requests for the token get 410 Unregistered, at once or after ``DeliveryRules/unregisteredDelay``.
    ///
    /// - Parameter token: the token's bytes. A token that is unknown or has already ended is not changed.
    public func invalidate(_ token: Data) { end(token, .unregistered) }

    /// Ends a token because of its age.
    ///
    /// Requests for the token get 410 ExpiredToken.
    ///
    /// - Parameter token: the token's bytes. A token that is unknown or has already ended is not changed.
    public func expire(_ token: Data) { end(token, .expiredToken) }

    private func end(_ token: Data, _ reason: RejectionReason) {
        guard let token = DeviceToken(token) else { return }
        perform { state, now in ((), state.store.invalidate(token, reason: reason, at: now)) }
    }

    /// Brings a device online.
    ///
    /// Stored pushes are delivered before this method returns, later pushes when they come.
    ///
    /// - Parameters:
    ///   - device: the device's id. An unknown id creates a device.
    ///   - deliver: receives the pushes in order, one at a time, on a thread of the simulator. The closure must not block.
    public func connect(device: String, deliver: @escaping @Sendable (SimulatorPush) -> Void) {
        attach(device: device, deliver: deliver)
    }

    /// Brings a device online like ``connect(device:deliver:)``, and returns the connection.
    ///
    /// - Parameters:
    ///   - device: the device's id.
    ///   - deliver: receives the pushes in order, one at a time.
    /// - Returns: the connection, for ``detach(_:)``.
    @discardableResult
    func attach(device: String, deliver: @escaping @Sendable (SimulatorPush) -> Void) -> DeviceConnection {
        perform { state, now in
            let index = state.store.register(device)
            let connection = DeviceConnection(device: index, of: reference, deliver: deliver)
            return (connection, state.attach(connection, at: now))
        }
    }

    /// Takes a device offline, unless the device has a newer connection.
    ///
    /// A phone may connect again before the network notices that its old connection is gone.
    func detach(_ connection: DeviceConnection) async {
        await disconnect { state in
            state.connection(of: connection.device) === connection ? connection.device : nil
        }
    }

    /// Records that a device has received a push.
    ///
    /// - Parameters:
    ///   - push: the push.
    ///   - device: the device's index in ``DeviceStore/devices``.
    ///   - late: whether the time in the push's `apns-expiration` has passed.
    func delivered(_ push: SimulatorPush, to device: Int, late: Bool) {
        perform { state, _ in ((), state.store.delivered(push, to: device, late: late)) }
    }

    /// Takes a device offline.
    ///
    /// Nothing is delivered to the device after this method has returned, also if several tasks call it at once.
    ///
    /// - Parameter device: the device's id. An unknown id has no effect.
    public func disconnect(device: String) async { await disconnect { $0.store.index(of: device) } }

    /// Takes a device offline, and stores the pushes that it has not got yet.
    ///
    /// Both happen under one lock, so that a push that arrives later cannot come before these pushes.
    private func disconnect(_ find: @Sendable (State) -> Int?) async {
        let closing = perform { state, now -> ([DeviceConnection], [DeviceStore.Action]) in
            guard let index = find(state) else { return ([], []) }
            var actions = state.store.disconnect(index)
            if let connection = state.connection(of: index) {
                state.connections[index] = nil
                state.closing[index, default: []].append(connection)
                actions += connection.close().flatMap { state.store.accept($0.push, on: index, at: now) }
            }
            return (state.closing[index] ?? [], actions)
        }
        for connection in closing {
            await connection.quiet()
            state.withLock { state in
                let left = state.closing[connection.device, default: []].filter { $0 !== connection }
                state.closing[connection.device] = left.isEmpty ? nil : left
            }
        }
    }

    /// Sets a device's power state.
    ///
    /// Pushes that waited only for this power state are delivered before this method returns.
    ///
    /// - Parameters:
    ///   - power: the power state, which decides together with a push's priority whether the push is delivered at once.
    ///   - device: the device's id. An unknown id creates a device, which is offline.
    public func setPower(_ power: DevicePower, device: String) {
        perform { state, now in
            let index = state.store.register(device)
            return ((), state.store.setPower(power, of: index, at: now))
        }
    }

    /// The rules of store-and-forward.
    ///
    /// A change applies to later decisions about pushes and requests. It does not discard pushes that already wait.
    public var rules: DeliveryRules {
        get { state.withLock(\.store.rules) }
        set { state.withLock { $0.store.rules = newValue } }
    }

    /// A copy of the present state of all devices.
    var store: DeviceStore { state.withLock(\.store) }

    // MARK: - For the connections

    /// Performs a request's last checks and accepts its push, all under one lock.
    ///
    /// - Parameters:
    ///   - request: the parsed headers.
    ///   - target: the device token.
    ///   - id: the `apns-id` of the answer.
    ///   - payload: the body.
    ///   - environment: the simulated APNs environment.
    ///   - onAcceptance: called before the push is delivered or stored, so that the journal has the request before the push's
    ///     events. Its argument says whether the device exists only because a push came to an unknown token.
    /// - Throws: ``Rejection`` by the first failed check.
    func submit(
        _ request: PushRequest, to target: RequestTarget, id: UUID, payload: ByteBuffer,
        in environment: APNsEnvironment, onAcceptance: (_ isOfUnknownToken: Bool) -> Void
    ) throws(Rejection) {
        let result = perform { state, now -> (Result<Void, Rejection>, [DeviceStore.Action]) in
            var actions: [DeviceStore.Action] = []
            if takesAnyToken, let (device, issued) = state.store.adopt(target, for: request, in: environment) {
                let connection = DeviceConnection(device: device, of: reference) { _ in }
                actions = issued + state.attach(connection, at: now)
            }
            do throws(Rejection) {
                let (token, entry) = try state.store.check(target, for: request, in: environment, at: now)
                let device = state.store.devices[entry.device].id
                onAcceptance(takesAnyToken && device == token.hex)
                let push = SimulatorPush(
                    device: device, token: token, topic: request.topic,
                    bundleID: request.bundleID,
                    pushType: request.pushType, payload: Data(payload.readableBytesView),
                    collapseID: request.collapseID, apnsID: id, priority: request.priority,
                    expiration: request.expiration)
                return (.success(()), actions + state.store.accept(push, for: entry, at: now))
            } catch {
                return (.failure(error), actions)
            }
        }
        try result.get()
    }

    // MARK: - Acting

    /// Calls `decide` under the lock, then performs the returned actions without the lock.
    @discardableResult
    func perform<Value: Sendable>(
        _ decide: (inout State, Timestamp) -> (Value, [DeviceStore.Action])
    ) -> Value {
        let now = clock.now
        let (result, connections, wakes) = state.withLock { state in
            let (result, actions) = decide(&state, now)
            let (connections, wakes) = arrange(actions, in: state, at: now)
            return (result, connections, wakes)
        }
        for connection in connections { connection.drain() }
        for (device, moment) in wakes { wake(device, at: moment) }
        return result
    }

    /// Performs actions under the lock, in their order: queues pushes on their devices' connections, and writes events into
    /// the journal.
    ///
    /// - Returns: `connections`, whose queued pushes the caller must deliver, and `wakes`, the devices to wake and the times.
    private func arrange(
        _ actions: [DeviceStore.Action], in state: State, at now: Timestamp
    ) -> (connections: [DeviceConnection], wakes: [(Int, Timestamp)]) {
        var connections: [DeviceConnection] = []
        var wakes: [(Int, Timestamp)] = []
        for action in actions {
            switch action {
            case .deliver(let device, let push, let late):
                guard let connection = state.connection(of: device) else { continue }
                connection.append(push, late: late)
                if connections.last !== connection { connections.append(connection) }
            case .record(let event):
                record(event, at: now)
            case .wake(let device, let moment):
                wakes.append((device, moment))
            }
        }
        return (connections, wakes)
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
