import DequeModule
import Synchronization

/// A simulated device's connection to the simulated APNs; the connection delivers pushes in order, one at a time.
final class DeviceConnection: Sendable {
    fileprivate struct State {
        var queue: Deque<(push: SimulatorPush, late: Bool)> = []
        var isDraining = false
        var isClosed = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// The device's index in ``DeviceStore/devices``.
    let device: Int
    private let owner: FleetReference
    private let deliver: @Sendable (SimulatorPush) -> Void
    private let state = Mutex(State())

    init(device: Int, of owner: FleetReference, deliver: @escaping @Sendable (SimulatorPush) -> Void) {
        self.device = device
        self.owner = owner
        self.deliver = deliver
    }

    /// Adds a push to the connection's queue, from which the next ``drain()`` delivers it.
    ///
    /// - Parameters:
    ///   - push: the push.
    ///   - late: whether the time in the push's `apns-expiration` has passed.
    func append(_ push: SimulatorPush, late: Bool) {
        state.withLock { $0.queue.append((push: push, late: late)) }
    }

    /// Delivers the queued pushes.
    ///
    /// If another thread is already delivering, that thread delivers the newly queued pushes too.
    func drain() {
        guard state.withLock({ $0.beginDraining() }) else { return }
        while let (push, late) = state.withLock({ $0.next() }) {
            deliver(push)
            owner.fleet.withLock(\.value)?.delivered(push, to: device, late: late)
        }
    }

    /// Closes the connection; a delivery that has begun may still be going on.
    ///
    /// - Returns: the pushes that are still queued, in the order of their arrival. A second call returns none.
    func close() -> [(push: SimulatorPush, late: Bool)] {
        state.withLock { state in
            state.isClosed = true
            defer { state.queue.removeAll() }
            return Array(state.queue)
        }
    }

    /// Waits until no delivery is going on.
    ///
    /// After ``close()``, nothing is delivered once this method has returned.
    func quiet() async {
        await withCheckedContinuation { continuation in
            let isBusy = state.withLock { state in
                if state.isDraining { state.waiters.append(continuation) }
                return state.isDraining
            }
            if !isBusy { continuation.resume() }
        }
    }
}

extension DeviceConnection.State {
    fileprivate mutating func beginDraining() -> Bool {
        guard !isDraining, !isClosed else { return false }
        isDraining = true
        return true
    }

    fileprivate mutating func next() -> (push: SimulatorPush, late: Bool)? {
        if !isClosed, let first = queue.popFirst() { return first }
        isDraining = false
        for waiter in waiters { waiter.resume() }
        waiters = []
        return nil
    }
}
