import CarillonCore
import CarillonServer
import CarillonSimulator
import ServiceLifecycle
import Synchronization

/// A service that keeps the messages on the page of `carillon up` current.
///
/// After each event about a message, the tracker reads the timeline from the store again. So the page shows only facts that the
/// service has recorded.
final class MessageTracker: Service {
    private let store: Store
    private let app: AppNumber
    private let events: EventHub<TimelineEvent>
    private let messages: EventHub<MessageReference>
    private let simulator: APNsSimulator
    private let pageState: PageState
    private let clock: any CarillonClock
    private let phones: PhoneDirectory

    private let changed = Mutex<Set<MessageID>>([])
    private let wake = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(
        store: Store, app: AppNumber, events: EventHub<TimelineEvent>, messages: EventHub<MessageReference>,
        simulator: APNsSimulator, pageState: PageState, phones: PhoneDirectory, clock: any CarillonClock
    ) {
        self.store = store
        self.app = app
        self.events = events
        self.messages = messages
        self.simulator = simulator
        self.pageState = pageState
        self.phones = phones
        self.clock = clock
    }

    /// Runs until shutdown, then ends every page's stream, so that no open request delays the shutdown.
    func run() async throws {
        await rememberEarlier()
        await withGracefulShutdownHandler {
            await withTaskGroup { group in
                group.addTask { await self.followService() }
                group.addTask { await self.followMessages() }
                group.addTask { await self.followAPNs() }
                group.addTask { await self.tell() }
                group.addTask { await self.pageState.sendLog() }
                group.addTask { await self.beat() }
                try? await gracefulShutdown()
                group.cancelAll()
            }
        } onGracefulShutdown: {
            self.pageState.finish()
        }
    }

    /// Marks a message as changed; the tracker then reads the message's timeline again, and sends the result to the pages.
    func note(_ message: MessageID) {
        changed.withLock { _ = $0.insert(message) }
        wake.continuation.yield()
    }

    /// Adds the newest messages from earlier runs of `carillon up` to the page, except those that were recalled or have expired.
    private func rememberEarlier() async {
        let entries = try? await store.users.inbox(
            user: UserReference(LocalStack.user, of: app), in: nil, before: nil,
            limit: PhonesLimits.earlierMessages, at: clock.now)
        for entry in (entries ?? []).reversed() {
            pageState.withIndex { $0.note(entry.id) }
            note(entry.id)
        }
    }

    private func followService() async {
        guard let events = events.subscribe() else { return }
        for await event in events {
            pageState.withIndex { $0.note(event.message) }
            note(event.message)
        }
    }

    /// Updates the page when the service accepts, pauses, or recalls a message, because these changes cause no event of a device.
    private func followMessages() async {
        guard let messages = messages.subscribe() else { return }
        for await message in messages where message.app == app {
            // A reset recalls messages; the news of this may come after the page has forgotten them.
            if pageState.withIndex({ $0.hasForgotten(message.id) }), await isRecalled(message) { continue }
            pageState.withIndex { $0.accepted(message.id) }
            note(message.id)
        }
    }

    private func isRecalled(_ message: MessageReference) async -> Bool {
        (try? await store.messages.report(message, at: clock.now))?.recalledAt != nil
    }

    private func followAPNs() async {
        for await event in simulator.eventStream() {
            if let message = pageState.withIndex({ $0.received(event) }) { note(message) }
            pageState.show { $0.received(event, phone: phones.phone(with:)) }
            if let text = event.sentence(phoneName: phones.name(of:)) { pageState.log(.apns, text) }
        }
    }

    private func tell() async {
        for await _ in wake.stream {
            let messages = changed.withLock { changed in
                defer { changed = [] }
                return changed
            }
            // Skips messages that are no longer on the page, because newer ones have displaced them.
            let shown = pageState.withIndex { index in index.messages.filter(messages.contains) }
            for message in shown.reversed() { await tell(message) }
            try? await clock.sleep(for: PhonesLimits.messageInterval)
        }
    }

    private func tell(_ message: MessageID) async {
        let (now, name) = (clock.now, MessageReference(message, of: app))
        guard let report = try? await store.messages.report(name, at: now),
            let timeline = try? await store.messages.timeline(
                name, after: nil, limit: PhonesLimits.devicesPerMessage, at: now)
        else { return }
        let title = try? await store.messages.title(of: name, for: UserReference(LocalStack.user, of: app))
        for device in timeline.devices { await phones.recognise(device.device, in: store) }
        let why = pageState.withIndex { index in phones.ids.map { ($0, index.why(message, isNotOn: $0)) } }
        let reasons = Dictionary(uniqueKeysWithValues: why)
        pageState.show(
            PageMessage(
                report: report, timeline: timeline, title: title, phone: phones.phone(of:),
                why: { reasons[$0] ?? nil }))
    }

    private func beat() async {
        while (try? await clock.sleep(for: PhonesLimits.heartbeatInterval)) != nil { pageState.heartbeat() }
    }
}
