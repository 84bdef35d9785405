import CarillonCore
import Foundation
import Logging
import Synchronization

/// The parts that one running service shares: settings, clock, the calls of all routes, and the channels between them.
///
/// Routes, delivery worker and housekeeping of one process hold one context.
struct ServiceContext: Sendable {
    let configuration: ServiceConfiguration
    let store: SharedCalls
    private let news: NewsCalls
    let clock: any CarillonClock
    let random: RandomSource
    let logger: Logger
    /// The signal that wakes the delivery worker of this process.
    let signal = WakeSignal()
    /// The live feed of timeline events.
    ///
    /// A reader that has fallen behind its buffer loses the oldest events and can ask for the timeline.
    let hub = EventHub<TimelineEvent>(
        readerLimit: ServiceLimits.feedReaders, backlogLimit: ServiceLimits.feedEvents, overflow: .losesOldest)
    /// The live feed of messages that were accepted or steered, which may have no device's event yet.
    let messages = EventHub<MessageReference>(
        readerLimit: ServiceLimits.feedReaders, backlogLimit: ServiceLimits.feedEvents, overflow: .losesOldest)
    /// The events that were published, so that an event is published once even if it also comes back in the store's news.
    let published = SharedValue(PublishedEvents())
    let metrics = ServiceMetrics()
    let health = ServiceHealth()
    /// The apps whose credential has changed, until the sender has noticed.
    let changedCredentials = SharedValue<Set<AppID>>([])
    let storeProbe: StoreProbe
    /// The cache of API keys.
    let apiKeys = SharedValue(APIKeyCache())
    /// The limit on new installations.
    let registrations: SharedValue<RegistrationLimiter>
    /// The limit on the calls of each caller.
    let calls: SharedValue<CallLimiter>
    /// The open connections.
    let connections: OpenConnections
    /// The limit on waiting pushes.
    let backlog: SharedValue<BacklogGauge>

    init(
        configuration: ServiceConfiguration, store: Store, clock: any CarillonClock, random: RandomSource,
        logger: Logger
    ) {
        self.configuration = configuration
        self.store = SharedCalls(store)
        news = store.news
        self.clock = clock
        self.random = random
        self.logger = logger
        registrations = SharedValue(RegistrationLimiter(configuration.registrationLimits))
        storeProbe = StoreProbe(clock: clock)
        calls = SharedValue(CallLimiter(configuration.callLimits))
        connections = OpenConnections(
            configuration.connectionLimits.withinDescriptors(), proxies: configuration.proxies, clock: clock,
            logger: logger)
        backlog = SharedValue(BacklogGauge(limit: configuration.backlogLimit))
    }

    /// Returns a nonce that a device echoes to prove receipt of a push.
    func nonce() -> String { Data(random.bytes(ServiceLimits.nonceBytes)).hexadecimal }

    /// Returns an id for a message without one: its time in 48 bits, then random bits, 32 hexadecimal digits in all.
    ///
    /// Nobody can guess it. Ids of one time lie side by side in the database's indexes, as UUIDs of version 7 do
    /// ([RFC 9562 §6.11](https://www.rfc-editor.org/rfc/rfc9562#section-6.11)).
    func drawnMessageID(at now: Timestamp) -> String {
        let moment = withUnsafeBytes(of: UInt64(clamping: now.millisecondsSince1970).bigEndian) { Data($0.suffix(6)) }
        return (moment + random.bytes(ServiceLimits.drawnMessageIDBytes)).hexadecimal
    }

    /// Counts events and publishes them, here and to other processes.
    func publish(_ events: [TimelineEvent]) {
        guard !events.isEmpty else { return }
        metrics.count(events)
        if hub.hasReaders { hub.publish(published.withLock { $0.new(events, from: .ownProcess) }) }
        news.announce(.told)
    }

    /// Counts the events of outcomes and publishes them.
    func publish(_ settled: SettledPushes) {
        metrics.count(settled.events)
        metrics.count(accepted: settled.acceptedCount)
        if hub.hasReaders { hub.publish(published.withLock { $0.new(settled.timeline, from: .ownProcess) }) }
        news.announce(.told)
    }

    /// Publishes the events of a call and wakes the senders, here and in other processes, because a push may be due now.
    func changed(_ events: [TimelineEvent]) {
        publish(events)
        signal.wake()
        news.announce(.due)
    }
}
