import CarillonCore
import Logging
import ServiceLifecycle

/// Logs the beginning and the end of each broadcast: a message whose deliveries are kept as bitmaps, a bit for each device
/// (``RangeRules``).
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

/// Decides when to log that a broadcast (a message whose deliveries are kept as bitmaps, a bit for each device) begins or has
/// ended.
///
/// Each beginning and each end is logged once.
struct BroadcastLog: Sendable {
    /// A line of the log: the sending of a broadcast (a message whose deliveries are kept as bitmaps, a bit for each device)
    /// begins, or has ended.
    struct Line: Sendable, Hashable {
        let broadcast: BroadcastNews.Broadcast
        let isEnd: Bool
    }

    /// The number of the newest broadcast (a message whose deliveries are kept as bitmaps, a bit for each device) in the store;
    /// `nil` before the store was first read.
    private(set) var newest: Int64?
    /// The numbers of the broadcasts whose sending has begun but not ended.
    ///
    /// Here, a broadcast is a message whose deliveries are kept as bitmaps, a bit for each device (``RangeRules``).
    private var begun: Set<Int64> = []
    /// The numbers of the broadcasts whose sending had not begun when the store was last read.
    ///
    /// Here, a broadcast is a message whose deliveries are kept as bitmaps, a bit for each device (``RangeRules``).
    private var waiting: Set<Int64> = []

    /// The numbers of the broadcasts whose beginning or end must still be logged.
    ///
    /// Here, a broadcast is a message whose deliveries are kept as bitmaps, a bit for each device (``RangeRules``).
    var watched: Set<Int64> { begun.union(waiting) }

    /// Takes in the progress of broadcasts, and returns the lines to log.
    ///
    /// Here, a broadcast is a message whose deliveries are kept as bitmaps, a bit for each device (``RangeRules``).
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
