import CarillonCore
import ServiceLifecycle

/// Watches the store: publishes other processes' commits in this process, and wakes this process's sender.
///
/// The watch reads the store at regular intervals, and at once when another process announces a change. If an announcement is
/// lost, the next regular read finds the change.
struct StoreWatch: Service {
    let service: ServiceContext
    private let store: NewsCalls
    private let start: StoreNews.Mark?
    private let look = WakeSignal()

    /// Makes a watch for one service.
    ///
    /// - Parameters:
    ///   - service: the service that publishes the changes.
    ///   - store: the calls that read changes from the store.
    ///   - start: the position in the sequence of commits after which the watch publishes; `nil` to publish only commits after
    ///     its first read.
    init(service: ServiceContext, store: NewsCalls, since start: StoreNews.Mark?) {
        self.service = service
        self.store = store
        self.start = start
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await listen() }
                group.addTask { await wait() }
                await follow()
                group.cancelAll()
            }
        }
    }

    private var isWatched: Bool {
        let publisher = service.publisher
        return publisher.events.hasReaders || publisher.messages.hasReaders || publisher.feeds.hasReaders
    }

    private func listen() async {
        for await announcement in store.announcements() {
            if announcement == .due { service.signal.wake() }
            if isWatched { look.wake() }
        }
    }

    private func wait() async {
        var interval = service.configuration.pollInterval
        var nextLook = service.clock.uptime
        while !Task.isCancelled {
            // Ignores a store that does not answer; the other parts of the service report that.
            if let isForeign = (try? await store.wasWrittenElsewhere()) ?? nil {
                interval = min(interval, ServiceLimits.foreignWriteInterval)
                if isForeign { service.signal.wake() }
            }
            // Reads the changes even without subscribers, so that a new subscriber gets only new events.
            if isWatched || service.clock.uptime >= nextLook {
                nextLook = service.clock.uptime + service.configuration.pollInterval
                look.wake()
            }
            try? await service.clock.sleep(for: interval)
        }
    }

    private func follow() async {
        var mark = start
        for await _ in look.wakes {
            guard let news = await news(since: mark) else { continue }
            mark = news.mark
            service.publisher.publish(news)
        }
    }

    /// The kinds of changes that have readers now.
    private var wanted: StoreNews.Selection {
        var wanted: StoreNews.Selection = []
        if service.publisher.events.hasReaders { wanted.insert(.events) }
        if service.publisher.messages.hasReaders { wanted.insert(.messages) }
        return wanted
    }

    /// Reads the changes of the kinds that have readers; returns `nil` if the store does not answer.
    ///
    /// If somebody subscribes to a further kind during the read, the function reads once more from the same position, because the
    /// first read may have skipped changes that came after the subscription.
    private func news(since mark: StoreNews.Mark?) async -> StoreNews? {
        while true {
            let selection = wanted
            guard let news = try? await store.news(since: mark, selection, limit: ServiceLimits.feedEvents) else {
                return nil
            }
            if wanted.isSubset(of: selection) { return news }
        }
    }
}
