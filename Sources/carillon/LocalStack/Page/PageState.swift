import CarillonCore
import CarillonSimulator
import Synchronization

/// All that the page shows, as last seen, and the way to everyone who looks at it.
///
/// What an open page is told are changes; a page that opens is told everything. Both come from here, in one order.
final class PageState: Sendable {
    private struct State {
        var phones: [String: PhoneState] = [:]
        var messages: [MessageID: PageMessage] = [:]
        var index = MessageIndex()
        var log = PageLog()
    }

    private let state = Mutex(State())
    /// A page that does not keep up is cut off: its browser connects again and is then told everything.
    private let hub = EventHub<ServerSentEvent>(
        readerLimit: CommandLimits.pages, backlogLimit: CommandLimits.eventsPerPage, overflow: .endsStream)
    private let clock: any CarillonClock

    init(clock: any CarillonClock) { self.clock = clock }

    var phones: [PhoneState] { state.withLock { $0.phones.values.sorted { $0.id < $1.id } } }

    /// Everything, then every change; `nil` when too many pages look on already.
    func subscribe() -> AsyncStream<ServerSentEvent>? {
        hub.subscribe { state.withLock { Self.greeting($0) } }
    }

    func show(_ phone: PhoneState) {
        hub.publish {
            state.withLock { $0.phones[phone.id] = phone }
            return try? ServerSentEvent("phone", phone)
        }
    }

    func show(_ message: PageMessage) {
        hub.publish {
            state.withLock { state in
                state.messages[message.id] = message
                let kept = Set(state.index.messages)
                state.messages = state.messages.filter { kept.contains($0.key) }
            }
            return try? ServerSentEvent("message", message)
        }
    }

    func log(_ source: PageLogEntry.Source, _ text: String) {
        hub.publish {
            let entry = state.withLock { $0.log.add(source, text, at: clock.now) }
            return try? ServerSentEvent("trace", entry)
        }
    }

    /// Reads or changes what is known of messages.
    func withIndex<Value: Sendable>(_ body: (inout MessageIndex) -> Value) -> Value {
        state.withLock { body(&$0.index) }
    }

    func heartbeat() { hub.publish { ServerSentEvent.heartbeat } }

    /// Ends every page's stream.
    func finish() { hub.finish() }

    private static func greeting(_ state: State) -> [ServerSentEvent] {
        var events: [ServerSentEvent?] = [try? ServerSentEvent("hello", [String: String]())]
        events += state.phones.values.sorted { $0.id < $1.id }.map { try? ServerSentEvent("phone", $0) }
        events += state.index.messages.reversed().compactMap { state.messages[$0] }
            .map { try? ServerSentEvent("message", $0) }
        events += state.log.entries.map { try? ServerSentEvent("trace", $0) }
        return events.compactMap(\.self)
    }
}
