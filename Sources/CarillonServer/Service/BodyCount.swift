import Synchronization

/// The bytes of one call's body in ``BodyMemory``.
final class BodyCount: Sendable {
    /// The count of the call that the current task answers; `nil` for a call without a body.
    @TaskLocal static var current: BodyCount?

    private let memory: BodyMemory
    private let body: Mutex<BodyMemory.Body>

    init(of body: BodyMemory.Body, in memory: BodyMemory) {
        self.memory = memory
        self.body = Mutex(body)
    }

    /// Records who has sent the call, once the credentials are checked; the body then counts as this caller's.
    ///
    /// The routes check credentials before they read the body.
    func belongs(to caller: BodyMemory.Caller) {
        body.withLock { if $0.bytes == 0 { $0.caller = caller } }
    }

    /// Counts bytes that have come.
    ///
    /// A route that reads a longer body than any other works on it piece by piece, and keeps no more than the largest other body.
    ///
    /// - Returns: false if there is no room.
    func received(_ bytes: Int) -> Bool {
        body.withLock { body in
            let largest = max(ServiceLimits.appBodyBytes, ServiceLimits.backendBodyBytes)
            return memory.take(min(bytes, largest - body.bytes), for: &body)
        }
    }

    func end() { body.withLock { memory.giveBack($0) } }
}
