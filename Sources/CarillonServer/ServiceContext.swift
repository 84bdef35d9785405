import CarillonCore
import Logging

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
    let metrics = ServiceMetrics()
    let health = ServiceHealth()

    /// Counts events and tells those who watch.
    func publish(_ events: [TimelineEvent]) {
        metrics.count(events)
        hub.publish(events)
    }

    /// Publishes what a call has changed, and wakes the worker: something may be due now.
    func changed(_ events: [TimelineEvent]) {
        publish(events)
        signal.wake()
    }
}
