/// Delivers every event to every reader, in one order for all readers.
///
/// Publishing never waits for a reader: a slow reader loses events or is disconnected, depending on ``Overflow``.
package final class EventHub<Event: Sendable>: Sendable {
    /// The treatment of a reader whose buffer is full.
    package enum Overflow: Sendable, Hashable {
        /// Drops the oldest events that wait for a reader that is too far behind.
        ///
        /// Use it for readers that can fetch the state again.
        case losesOldest
        /// Ends the stream of a reader that is too far behind.
        ///
        /// Use it for readers that then reconnect and receive the whole state.
        case endsStream
    }

    private typealias Readers = [Int: AsyncStream<Event>.Continuation]

    private struct State {
        var readers: Readers = [:]
        var lastReader = 0
        var isFinished = false
    }

    private let readerLimit: Int
    private let backlogLimit: Int
    private let overflow: Overflow
    private let state = Guarded(State())

    /// Makes a hub.
    ///
    /// - Parameters:
    ///   - readerLimit: the greatest number of readers at a time. The default is no limit.
    ///   - backlogLimit: the greatest number of events that wait for one reader, 1 or more.
    ///   - overflow: the treatment of a reader for which more than `backlogLimit` events wait.
    package init(readerLimit: Int = .max, backlogLimit: Int, overflow: Overflow) {
        self.readerLimit = readerLimit
        self.backlogLimit = max(1, backlogLimit)
        self.overflow = overflow
    }

    /// Whether the hub has readers; without readers, a publisher can skip making events.
    package var hasReaders: Bool { state.withLock { !$0.readers.isEmpty } }

    /// Returns a stream of all events from now on, until the reader stops or the hub is finished.
    ///
    /// - Parameter greeting: returns the first events of the stream. The hub publishes no event while the closure runs, so that
    ///   no change is lost between the first events and the later ones. The default is none.
    /// - Returns: the stream; `nil` if the limit of readers is reached.
    package func subscribe(greeting: () -> [Event] = { [] }) -> AsyncStream<Event>? {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self,
            bufferingPolicy: overflow == .losesOldest ? .bufferingNewest(backlogLimit) : .bufferingOldest(backlogLimit))
        let isFinished: Bool? = state.withLock { state in
            guard state.readers.count < readerLimit else { return nil }
            for event in greeting() { continuation.yield(event) }
            guard !state.isFinished else { return true }
            state.lastReader += 1
            let number = state.lastReader
            // Set before the reader is listed, because a publisher may disconnect a listed reader at once.
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.readers.removeValue(forKey: number) }
            }
            state.readers[number] = continuation
            return false
        }
        guard let isFinished else { return nil }
        if isFinished { continuation.finish() }
        return stream
    }

    /// Publishes the event that `event` returns.
    ///
    /// - Parameter event: returns the event, or `nil` to publish nothing. The hub never runs this closure while it makes a new
    ///   reader's first events (``subscribe(greeting:)``). So the reader learns of a change that the closure makes exactly
    ///   once: by its first events or by this event.
    package func publish(_ event: () -> Event?) {
        let lost = state.withLock { state -> [AsyncStream<Event>.Continuation] in
            guard let event = event() else { return [] }
            return yield(event, to: state.readers)
        }
        // Outside the lock, because finishing calls `onTermination`, which takes the lock.
        for reader in lost { reader.finish() }
    }

    /// Publishes several events, without another caller's events between them.
    package func publish(_ events: [Event]) {
        guard !events.isEmpty else { return }
        let lost = state.withLock { state in
            state.readers.isEmpty ? [] : events.flatMap { yield($0, to: state.readers) }
        }
        for reader in lost { reader.finish() }
    }

    /// Ends the streams of all readers; the stream of a later reader ends after its first events (``subscribe(greeting:)``).
    package func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for reader in readers { reader.finish() }
    }

    /// Gives an event to all readers.
    ///
    /// - Returns: the readers to disconnect, because their buffers are full.
    private func yield(_ event: Event, to readers: Readers) -> [AsyncStream<Event>.Continuation] {
        var lost: [AsyncStream<Event>.Continuation] = []
        for reader in readers.values {
            if case .dropped = reader.yield(event), overflow == .endsStream { lost.append(reader) }
        }
        return lost
    }
}
