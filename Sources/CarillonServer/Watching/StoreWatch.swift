import CarillonCore
import ServiceLifecycle

/// Brings into this process what others have committed: tells those who watch, and wakes the sender.
///
/// The store is the truth. It is looked at every now and then, and at once when another process announces that there is
/// something; an announcement that is lost costs the time until the next look.
struct StoreWatch: Service {
    let service: ServiceContext
    private let start: StoreNews.Mark?
    private let look = WakeSignal()

    /// - Parameters:
    ///   - service: whose store is watched.
    ///   - start: what is committed after this is told; `nil`: after the first look.
    init(service: ServiceContext, since start: StoreNews.Mark?) {
        self.service = service
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
        for await announcement in service.store.announcements() {
            if announcement == .due { service.signal.wake() }
            if isWatched { look.wake() }
        }
    }

    private func wait() async {
        var interval = service.configuration.pollInterval
        var nextLook = service.clock.uptime
        while !Task.isCancelled {
            // A store that does not answer is told by whoever needs it.
            if let isForeign = (try? await service.store.wasWrittenElsewhere()) ?? nil {
                interval = min(interval, ServiceLimits.foreignWriteInterval)
                if isForeign { service.signal.wake() }
            }
            // The mark moves on while nobody watches, so that whoever comes is told what is new.
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
            guard let news = try? await service.store.news(since: mark, selection, limit: ServiceLimits.feedEvents)
            else { continue }
            mark = news.mark
            service.hub.publish(service.published.withLock { $0.new(news.events, from: .store) })
            service.messages.publish(news.messages)
        }
    }
}
