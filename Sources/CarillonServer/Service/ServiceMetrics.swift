import CarillonCore
import CoreMetrics
import Synchronization

/// The metrics of one service since its process started (``MetricCatalogue``).
final class ServiceMetrics: Sendable {
    let registry = PrometheusRegistry()
    /// The HTTP calls whose receipts are being stored now, each with the time at which storing began.
    let receiptsUnderWay = SharedValue(CallsUnderWay())
    let sender = SenderGauge()
    let client: ClientMetrics
    /// The gauges whose values are determined whenever somebody reads the metrics.
    let gauges: ScrapedGauges
    private let apps = Mutex<[String: AppMetrics]>([:])
    private let events: [TimelineEventKind: Counter]
    private let unknownTokens: Counter

    init() {
        let registry = registry
        events = Dictionary(
            uniqueKeysWithValues: TimelineEventKind.allCases.map {
                ($0, Counter(MetricCatalogue.events, $0.rawValue, in: registry))
            })
        unknownTokens = Counter(MetricCatalogue.unknownTokens, in: registry)
        client = ClientMetrics(in: registry)
        gauges = ScrapedGauges(in: registry)
    }

    /// Returns the metrics of an app.
    ///
    /// Each of the first ``ServiceLimits/labelledApps`` apps has its own. All further apps share those of the label `other`.
    func app(_ topic: String) -> AppMetrics {
        apps.withLock { apps in
            if let known = apps[topic] { return known }
            let label = apps.count < ServiceLimits.labelledApps ? topic : Self.otherApps
            let metrics = apps[label] ?? AppMetrics(label, in: registry)
            apps[label] = metrics
            return metrics
        }
    }

    /// Returns the label of an app: its bundle id, or `other` if the app has no metrics of its own.
    func label(_ topic: String) -> String {
        apps.withLock { $0[topic] != nil || $0.count < ServiceLimits.labelledApps } ? topic : Self.otherApps
    }

    /// The bundle ids of the apps that have metrics of their own.
    var topics: Set<String> { Set(apps.withLock { $0.keys }).subtracting([Self.otherApps]) }

    /// Ends the series of removed apps.
    func end(_ topics: Set<String>) {
        let ended = apps.withLock { apps in topics.compactMap { apps.removeValue(forKey: $0) } }
        for metrics in ended { metrics.end() }
    }

    private static let otherApps = "other"

    /// Counts outcomes of pushes that were handed to the APNs client together (``HandOver``).
    ///
    /// All these outcomes became known at `now`.
    func count(_ pushes: [SentPush], of handOver: HandOver, at now: Timestamp, uptime: Duration) {
        guard let topic = handOver.app?.topic else { return }
        app(topic).count(pushes, at: now, after: uptime - handOver.uptime)
    }

    func count(unknownTokens count: Int) { unknownTokens.increment(by: count) }

    /// Counts pushes that APNs accepted, although no timeline events were made for them.
    ///
    /// Events of such pushes are made only when somebody reads the live feed (``CommittedChanges``).
    func count(accepted pushes: Int) {
        guard pushes > 0 else { return }
        events[.sent]?.increment(by: pushes)
        events[.accepted]?.increment(by: pushes)
    }

    func count(_ new: [TimelineEvent]) {
        guard !new.isEmpty else { return }
        var counts: [TimelineEventKind: Int] = [:]
        for event in new { counts[event.event, default: 0] += 1 }
        for (kind, count) in counts { events[kind]?.increment(by: count) }
    }
}

/// The calls of one kind that are in progress, each with the time at which it began.
struct CallsUnderWay: Sendable {
    private var began: [Int: Duration] = [:]
    private var next = 0

    var count: Int { began.count }
    /// The time at which the oldest call began, on the monotonic clock; `nil` if none is under way.
    var oldest: Duration? { began.values.min() }

    /// Notes that a call begins, and returns its number for ``end(_:)``.
    mutating func begin(at uptime: Duration) -> Int {
        next += 1
        began[next] = uptime
        return next
    }

    mutating func end(_ number: Int) { began[number] = nil }
}
