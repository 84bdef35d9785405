import Synchronization

/// A signal that wakes one worker; signals that come while the worker is busy are merged into one.
final class WakeSignal: Sendable {
    let wakes: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (wakes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func wake() { continuation.yield() }

    /// Lets the worker end after its present work.
    func finish() { continuation.finish() }
}
