import CarillonCore
import CarillonSimulator
import Synchronization

/// The state that all pages show, and the stream of its changes.
///
/// A new page gets the whole state and then the changes, in an order that is equal for all pages.
final class PageState: Sendable {
    private struct State {
        var phones: [String: PhoneState] = [:]
        var messages: [MessageID: PageMessage] = [:]
        var index = MessageIndex()
        var rawPushes = RawPushes()
        var log = PageLog()
        /// The number of the newest log line that has been sent to pages.
        var lastLogged = 0
    }

    private let state = Mutex(State())
    /// The streams of events to the pages.
    ///
    /// If a page falls behind, its stream ends. The page's browser then connects again and gets the whole state.
    private let hub = EventHub<ServerSentEvent>(
        readerLimit: PhonesLimits.pages, backlogLimit: PhonesLimits.eventsPerPage, overflow: .endsStream)
    private let news = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let clock: any CarillonClock

    init(clock: any CarillonClock) { self.clock = clock }

    /// The present states of the phones, with the present time.
    var phones: [PhoneState] { state.withLock { Self.phones($0, at: clock.now) } }

    /// Returns a stream of the whole state, followed by every change; `nil` if too many pages are open.
    func subscribe() -> AsyncStream<ServerSentEvent>? {
        hub.subscribe { state.withLock { Self.greeting($0, at: clock.now) } }
    }

    func show(_ phone: PhoneState) {
        hub.publish {
            phone.event(since: state.withLock { $0.phones.updateValue(phone, forKey: phone.id) })
        }
    }

    /// Shows a message, unless it has left the index while its state was read.
    func show(_ message: PageMessage) {
        hub.publish {
            let isKept = state.withLock { state in
                let kept = Set(state.index.messages)
                state.messages[message.id] = message
                state.messages = state.messages.filter { kept.contains($0.key) }
                return kept.contains(message.id)
            }
            return isKept ? try? ServerSentEvent("message", message) : nil
        }
    }

    /// Forgets messages, pushes and log, and sends the remaining state to the pages.
    ///
    /// - Parameter recalled: the messages that the reset has recalled; later events about them do not show them again.
    func forget(recalled: Set<MessageID>) {
        hub.publish {
            state.withLock { state in
                (state.messages, state.rawPushes) = ([:], RawPushes())
                (state.log, state.lastLogged) = (PageLog(), 0)
                state.index.forget(recalled)
                return ServerSentEvent(joining: Self.greeting(state, at: clock.now))
            }
        }
    }

    /// Changes the list of pushes that were sent without the service, and tells the pages about the push that `change` returns.
    ///
    /// If `change` returns `nil`, the pages are told nothing.
    func show(_ change: (inout RawPushes) -> PageMessage?) {
        hub.publish { state.withLock { change(&$0.rawPushes) }.flatMap { try? ServerSentEvent("message", $0) } }
    }

    /// Adds a line to the log.
    ///
    /// The line reaches the pages with the next batch of ``sendLog()``.
    func log(_ source: PageLogEntry.Source, _ text: String) {
        state.withLock { $0.log.add(source, text, at: clock.now) }
        news.continuation.yield()
    }

    /// Sends the new log lines to the pages, many at once, until the task is cancelled.
    func sendLog() async {
        for await _ in news.stream {
            hub.publish {
                let lines = state.withLock { state in
                    defer { state.lastLogged = state.log.entries.last?.id ?? 0 }
                    return state.log.entries.filter { $0.id > state.lastLogged }
                }
                return lines.isEmpty ? nil : try? ServerSentEvent("trace", lines)
            }
            try? await clock.sleep(for: PhonesLimits.messageInterval)
        }
    }

    /// Reads or changes the index of messages.
    func withIndex<Value: Sendable>(_ body: (inout MessageIndex) -> Value) -> Value {
        state.withLock { body(&$0.index) }
    }

    func heartbeat() { hub.publish { ServerSentEvent.heartbeat } }

    /// Ends every page's stream.
    func finish() { hub.finish() }

    /// Returns the states of the phones, each with `now` as its time.
    ///
    /// The phones use the clock of this process. The clocks that the page draws start at `now` and run on by themselves.
    private static func phones(_ state: State, at now: Timestamp) -> [PhoneState] {
        state.phones.values.sorted { $0.id < $1.id }.map { phone in
            var phone = phone
            phone.now = now
            return phone
        }
    }

    private static func greeting(_ state: State, at now: Timestamp) -> [ServerSentEvent] {
        var events: [ServerSentEvent?] = [try? ServerSentEvent("hello", [String: String]())]
        events += phones(state, at: now).map { $0.event(since: nil) }
        events += state.index.messages.reversed().compactMap { state.messages[$0] }
            .map { try? ServerSentEvent("message", $0) }
        events += state.rawPushes.all.map { try? ServerSentEvent("message", $0) }
        events.append(try? ServerSentEvent("trace", state.log.entries.filter { $0.id <= state.lastLogged }))
        return events.compactMap(\.self)
    }
}
