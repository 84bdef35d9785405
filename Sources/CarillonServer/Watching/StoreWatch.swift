import CarillonCore
import ServiceLifecycle

/// A watch on the store, which publishes other processes' commits in this process and wakes its sender.
///
/// The store is the truth. It is polled at regular times, and at once when another process announces a change. A lost
/// announcement delays the news until the next poll.
struct StoreWatch: Service {
    let service: ServiceContext
    private let store: NewsCalls
    private let start: StoreNews.Mark?
    private let look = WakeSignal()

    /// - Parameters:
    ///   - service: the service that publishes the news.
    ///   - store: the store that is watched.
    ///   - start: the mark after which commits are published; `nil` publishes those after the first look.
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

    private var isWatched: Bool { service.hub.hasReaders || service.messages.hasReaders }

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
            // A store that does not answer is reported by the parts that need it.
            if let isForeign = (try? await store.wasWrittenElsewhere()) ?? nil {
                interval = min(interval, ServiceLimits.foreignWriteInterval)
                if isForeign { service.signal.wake() }
            }
            // The mark moves on without subscribers too, so that a new subscriber gets only new events.
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
            var selection: StoreNews.Selection = []
            if service.hub.hasReaders { selection.insert(.events) }
            if service.messages.hasReaders { selection.insert(.messages) }
            guard let news = try? await store.news(since: mark, selection, limit: ServiceLimits.feedEvents)
            else { continue }
            mark = news.mark
            service.hub.publish(service.published.withLock { $0.new(news.events, from: .store) })
            service.messages.publish(news.messages)
        }
    }
}
