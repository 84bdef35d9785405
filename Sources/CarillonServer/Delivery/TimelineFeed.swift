import CarillonCore
import Synchronization

/// The timeline as it happens, for pages that follow it: what this process has written down, in order.
///
/// A reader that does not keep up loses the oldest events, never the service's time: it can ask for the timeline.
public final class TimelineFeed: Sendable {
    private struct State {
        var readers: [Int: AsyncStream<TimelineEvent>.Continuation] = [:]
        var nextReader = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    init() {}

    /// Everything from now on, until the reader stops or the service ends. `nil` when
    /// ``ServiceLimits/feedReaders`` are reading already.
    public func subscribe() -> AsyncStream<TimelineEvent>? {
        let (stream, continuation) = AsyncStream.makeStream(
            of: TimelineEvent.self, bufferingPolicy: .bufferingNewest(ServiceLimits.feedEvents))
        let number: Int? = state.withLock { state in
            guard state.readers.count < ServiceLimits.feedReaders else { return nil }
            state.nextReader += 1
            if state.isFinished { continuation.finish() } else { state.readers[state.nextReader] = continuation }
            return state.nextReader
        }
        guard let number else { return nil }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.readers.removeValue(forKey: number) }
        }
        return stream
    }

    func publish(_ events: [TimelineEvent]) {
        guard !events.isEmpty else { return }
        let readers = state.withLock { Array($0.readers.values) }
        for reader in readers {
            for event in events { reader.yield(event) }
        }
    }

    /// Ends every reader's stream.
    func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for reader in readers { reader.finish() }
    }
}
