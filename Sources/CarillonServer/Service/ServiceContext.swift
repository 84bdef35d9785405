import CarillonCore
import Foundation
import Logging
import Synchronization

/// What the parts of one running service share: settings, store, clock, and the channels between them.
///
/// Routes, delivery worker and housekeeping of one process hold the same context.
struct ServiceContext: Sendable {
    let configuration: ServiceConfiguration
    let store: any Store
    let clock: any CarillonClock
    let random: RandomSource
    let logger: Logger
    /// Wakes the delivery worker of this process.
    let signal = WakeSignal()
    /// The live feed of what happens to messages.
    ///
    /// A reader that does not keep up loses the oldest events and can ask for the timeline.
    let hub = EventHub<TimelineEvent>(
        readerLimit: ServiceLimits.feedReaders, backlogLimit: ServiceLimits.feedEvents, overflow: .losesOldest)
    /// Messages that were accepted or steered, of which no device may have anything to tell yet.
    let messages = EventHub<MessageReference>(
        readerLimit: ServiceLimits.feedReaders, backlogLimit: ServiceLimits.feedEvents, overflow: .losesOldest)
    /// Which events were published, so that each is once, though this process's own are in the store's news too.
    let published = SharedValue(PublishedEvents())
    let metrics = ServiceMetrics()
    let health = ServiceHealth()
    /// API keys that were looked up a moment ago.
    let apiKeys = SharedValue(APIKeyCache())
    /// How many new installations may come.
    let registrations: SharedValue<RegistrationLimiter>
    /// How much may wait to be sent.
    let backlog: SharedValue<BacklogGauge>

    init(
        configuration: ServiceConfiguration, store: any Store, clock: any CarillonClock, random: RandomSource,
        logger: Logger
    ) {
        self.configuration = configuration
        self.store = store
        self.clock = clock
        self.random = random
        self.logger = logger
        registrations = SharedValue(RegistrationLimiter(configuration.registrationLimits))
        backlog = SharedValue(BacklogGauge(limit: configuration.backlogLimit))
    }

    /// What proves, when it comes back, who got a push.
    func nonce() -> String { Data(random.bytes(ServiceLimits.nonceBytes)).hexadecimal }

    /// An id for a message whose caller names none: its moment in 48 bits, then random ones, 32 hexadecimal digits in all.
    ///
    /// Nobody guesses it, and those of one moment lie side by side in the database's indexes, as UUIDs of version 7 do
    /// ([RFC 9562 §6.11](https://www.rfc-editor.org/rfc/rfc9562#section-6.11)).
    func drawnMessageID(at now: Timestamp) -> String {
        let moment = withUnsafeBytes(of: UInt64(clamping: now.millisecondsSince1970).bigEndian) { Data($0.suffix(6)) }
        return (moment + random.bytes(ServiceLimits.drawnMessageIDBytes)).hexadecimal
    }

    /// Counts events and tells those who watch, here and in other processes.
    func publish(_ events: [TimelineEvent]) {
        guard !events.isEmpty else { return }
        metrics.count(events)
        if hub.hasReaders { hub.publish(published.withLock { $0.new(events, from: .ownProcess) }) }
        store.announce(.told)
    }

    /// The same of outcomes.
    func publish(_ settled: SettledPushes) {
        metrics.count(settled.events)
        metrics.count(accepted: settled.acceptedCount)
        if hub.hasReaders { hub.publish(published.withLock { $0.new(settled.timeline, from: .ownProcess) }) }
        store.announce(.told)
    }

    /// Publishes what a call has changed, and wakes the senders, here and in other processes: something may be due now.
    func changed(_ events: [TimelineEvent]) {
        publish(events)
        signal.wake()
        store.announce(.due)
    }
}
