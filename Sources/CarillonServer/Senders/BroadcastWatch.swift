import CarillonCore
import Logging
import ServiceLifecycle

/// Logs the beginning and the end of each broadcast, a message that is sent as ranges of devices (``RangeRules``).
///
/// The watch reads the store every few seconds, because several processes may send one broadcast.
struct BroadcastWatch: Service {
    let service: ServiceContext
    let store: UpkeepCalls

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var log = BroadcastLog()
            while true {
                // Ignores a store that does not answer; the other parts of the service report that.
                if let news = try? await store.broadcasts(after: log.newest, log.watched) {
                    for line in log.received(news) { tell(line) }
                }
                try await service.clock.sleep(for: ServiceLimits.broadcastInterval)
            }
        }
    }

    private func tell(_ line: BroadcastLog.Line) {
        let broadcast = line.broadcast
        var metadata: Logger.Metadata = ["message": "\(broadcast.id)", "app": "\(broadcast.topic)"]
        guard line.isEnd else { return service.logger.notice("a broadcast begins", metadata: metadata) }
        metadata["began"] = "\(broadcast.began)"
        service.logger.notice("a broadcast has ended", metadata: metadata)
    }
}

/// Decides which broadcasts the log tells of, so that it tells of each beginning and each end once.
struct BroadcastLog: Sendable {
    /// A broadcast that begins, or that has ended.
    struct Line: Sendable, Hashable {
        let broadcast: BroadcastNews.Broadcast
        let isEnd: Bool
    }

    /// The greatest number of a message that the log knows; `nil` before the first news.
    private(set) var newest: Int64?
    /// The numbers of the broadcasts that have begun and not ended.
    private var begun: Set<Int64> = []
    /// The numbers of the broadcasts whose time had not come.
    private var waiting: Set<Int64> = []

    /// The numbers of the broadcasts whose beginning or end the log waits for.
    var watched: Set<Int64> { begun.union(waiting) }

    /// Returns the lines to log for these news.
    mutating func received(_ news: BroadcastNews) -> [Line] {
        newest = max(newest ?? 0, news.newest)
        waiting = Set(news.waiting.sorted().prefix(ServiceLimits.watchedBroadcasts))
        // A broadcast without news was deleted together with its app.
        begun.formIntersection(news.broadcasts.map(\.number))
        var lines: [Line] = []
        for broadcast in news.broadcasts.sorted(by: { $0.number < $1.number }) {
            let isKnown = begun.contains(broadcast.number)
            guard isKnown || begun.count < ServiceLimits.watchedBroadcasts else { continue }
            if !isKnown { lines.append(Line(broadcast: broadcast, isEnd: false)) }
            if broadcast.isUnderWay {
                begun.insert(broadcast.number)
            } else {
                begun.remove(broadcast.number)
                lines.append(Line(broadcast: broadcast, isEnd: true))
            }
        }
        return lines
    }
}
