import Synchronization

/// Tells one worker that there may be work: many calls while it works are one.
final class WakeSignal: Sendable {
    let wakes: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (wakes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func wake() { continuation.yield() }

    /// The worker ends after what it is doing.
    func finish() { continuation.finish() }
}
