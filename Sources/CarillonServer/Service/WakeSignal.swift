import Synchronization

/// A signal that wakes one worker.
///
/// Signals that come while the worker is busy count as one.
final class WakeSignal: Sendable {
    let wakes: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (wakes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func wake() { continuation.yield() }

    /// Ends the stream of signals, so that the worker ends after its present work.
    func finish() { continuation.finish() }
}
