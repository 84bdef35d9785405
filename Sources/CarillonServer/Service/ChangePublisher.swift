import CarillonCore

/// Publishes the changes that the store has committed (``Store/publishing(_:)``): to the subscribers in this process, to other
/// processes, to the senders, and to the metrics.
///
/// It is the only place that does so.
struct ChangePublisher: Sendable {
    /// The live feed of timeline events.
    ///
    /// A reader that reads too slowly loses the oldest events; it can read them in the message's timeline.
    let events = EventHub<TimelineEvent>(
        readerLimit: ServiceLimits.feedReaders, backlogLimit: ServiceLimits.feedEvents, overflow: .losesOldest)
    /// The live feed of messages that have changed.
    ///
    /// A message is in the feed after it was accepted or recalled, after its sending was paused, resumed or cancelled, and after
    /// its sending has made progress. It is there even if no device has an event of it yet.
    let messages = EventHub<MessageReference>(
        readerLimit: ServiceLimits.feedReaders, backlogLimit: ServiceLimits.feedEvents, overflow: .losesOldest)
    /// Wakes the readers of apps' feeds, which then read the store.
    let feeds = EventHub<Void>(readerLimit: ServiceLimits.feedReaders, backlogLimit: 1, overflow: .losesOldest)
    /// Wakes the worker of the broadcast channels of Live Activities, which then reads the store.
    let channels = EventHub<Void>(readerLimit: 1, backlogLimit: 1, overflow: .losesOldest)
    /// The signal that wakes the delivery worker of this process.
    let signal: WakeSignal
    let metrics: ServiceMetrics
    let news: NewsCalls
    /// The events that the service has published lately.
    ///
    /// If one of these events also arrives from the store, the service does not publish it again.
    private let published = SharedValue(PublishedEvents())

    init(signal: WakeSignal, metrics: ServiceMetrics, news: NewsCalls) {
        (self.signal, self.metrics, self.news) = (signal, metrics, news)
    }

    /// Publishes the changes of a transaction of this process.
    func publish(_ changes: CommittedChanges) {
        metrics.count(changes.events)
        metrics.count(accepted: changes.acceptedCount)
        if changes.hasEvents, events.hasReaders {
            events.publish(published.withLock { $0.new(changes.timeline, from: .ownProcess) })
        }
        messages.publish(changes.messages)
        if !changes.fed.isEmpty { feeds.publish([()]) }
        if changes.hasEvents || !changes.messages.isEmpty || !changes.fed.isEmpty { news.announce(.told) }
        if changes.mayHaveChannels { channels.publish([()]) }
        guard changes.mayBeDue else { return }
        signal.wake()
        news.announce(.due)
    }

    /// Publishes changes that were read from the store, in this process: those of other processes, and of this process those
    /// that were not published yet.
    func publish(_ news: StoreNews) {
        events.publish(published.withLock { $0.new(news.events, from: .store) })
        messages.publish(news.messages)
        if news.isFed { feeds.publish([()]) }
    }
}
