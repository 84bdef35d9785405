import Synchronization

/// Hands every event to every open page.
///
/// A page that does not keep up is cut off instead of slowing anything down: its browser connects again and is then
/// told all state anew.
final class PageFeed: Sendable {
    /// How many pages may listen at once.
    static let readerLimit = 32
    /// How many events may wait for one page.
    static let backlogLimit = 2000

    private struct State {
        var readers: [Int: AsyncStream<ServerSentEvent>.Continuation] = [:]
        var nextReader = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    /// The events from now on, after those of `greeting`; `nil` when too many pages listen already.
    ///
    /// - Parameter greeting: called while nothing else can be published, so that no change falls between it and the
    ///   stream.
    func subscribe(greeting: () -> [ServerSentEvent]) -> AsyncStream<ServerSentEvent>? {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ServerSentEvent.self, bufferingPolicy: .bufferingOldest(Self.backlogLimit))
        let number: Int? = state.withLock { state in
            guard state.readers.count < Self.readerLimit else { return nil }
            for event in greeting() { continuation.yield(event) }
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

    /// - Parameter event: called under the same lock as a greeting, so that both see the same order of changes.
    func publish(_ event: () -> ServerSentEvent?) {
        let lost = state.withLock { state -> [AsyncStream<ServerSentEvent>.Continuation] in
            guard let event = event() else { return [] }
            return state.readers.values.filter { reader in
                if case .dropped = reader.yield(event) { true } else { false }
            }
        }
        // Outside of the lock: finishing calls `onTermination`, which takes it.
        for reader in lost { reader.finish() }
    }

    /// Ends every page's stream, and those of pages that come later.
    func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for reader in readers { reader.finish() }
    }
}
