import CarillonAPNs
import CarillonCore
import CoreMetrics
import Synchronization

/// The counters and histograms of one app.
///
/// The accepted pushes of a batch raise their counter once, not once for each push.
final class AppMetrics: Sendable {
    private let messages: Counter
    private let app: String
    private let factory: any MetricsFactory
    private let accepted: Counter
    private let answered: DurationHistogram
    private let clientAnswer: DurationHistogram
    private let shown: DurationHistogram
    private let receipts: [ReceiptEvent: Counter]
    private let activities: [LiveActivityEvent: Counter]
    /// The counters of requests about channels, by request and outcome.
    private let channelRequests = Mutex<[[String]: Counter]>([:])
    /// The counters of pushes that APNs has not accepted, by outcome and reason.
    private let others = Mutex<[[String]: Counter]>([:])

    init(_ app: String, in factory: any MetricsFactory) {
        (self.app, self.factory) = (app, factory)
        messages = Counter(MetricCatalogue.messages, app, in: factory)
        accepted = Counter(MetricCatalogue.pushes, app, "accepted", "", in: factory)
        answered = DurationHistogram(MetricCatalogue.answered, app, in: factory)
        clientAnswer = DurationHistogram(MetricCatalogue.clientAnswer, app, in: factory)
        shown = DurationHistogram(MetricCatalogue.shown, app, in: factory)
        receipts = Dictionary(
            uniqueKeysWithValues: ReceiptEvent.allCases.map {
                ($0, Counter(MetricCatalogue.receipts, app, $0.rawValue, in: factory))
            })
        activities = Dictionary(
            uniqueKeysWithValues: LiveActivityEvent.allCases.map {
                ($0, Counter(MetricCatalogue.activities, app, $0.rawValue, in: factory))
            })
    }

    /// Ends all series of the app, because it was removed.
    func end() {
        let others = Self.take(from: others) + Self.take(from: channelRequests)
        for counter in [messages, accepted] + receipts.values + activities.values + others { counter.destroy() }
        for histogram in [answered, clientAnswer, shown] { histogram.destroy() }
    }

    private static func take(from counters: borrowing Mutex<[[String]: Counter]>) -> [Counter] {
        counters.withLock { counters in
            defer { counters = [:] }
            return Array(counters.values)
        }
    }

    /// Counts an accepted message.
    func countMessage() { messages.increment() }

    /// Counts an accepted change of a Live Activity.
    func count(_ change: LiveActivityEvent) { activities[change]?.increment() }

    /// Counts a request to APNs about a broadcast channel.
    func count(_ request: ChannelCommand, _ answer: ChannelAnswer) {
        let labels = [request.name, answer.isFailure ? "failed" : "done"]
        channelRequests.withLock { counters in
            let counter =
                counters[labels] ?? Counter(MetricCatalogue.channelRequests, app, labels[0], labels[1], in: factory)
            counters[labels] = counter
            counter.increment()
        }
    }

    /// Counts outcomes of pushes that became known at the same time.
    ///
    /// - Parameters:
    ///   - pushes: the pushes with their outcomes, all from one ``HandOver``.
    ///   - now: the time at which the outcomes became known.
    ///   - wait: the time since the pushes were handed to the APNs client.
    func count(_ pushes: [SentPush], at now: Timestamp, after wait: Duration) {
        var (acceptedCount, answeredCount) = (0, 0)
        // Pushes of one message lie side by side, and wait equally long.
        var run: (since: Timestamp?, count: Int) = (nil, 0)
        for index in pushes.indices {
            guard pushes[index].outcome.isAccepted else {
                count(pushes[index].outcome)
                if pushes[index].outcome.isAnswer { answeredCount += 1 }
                continue
            }
            acceptedCount += 1
            let since = pushes[index].since
            if since != run.since {
                if let since = run.since { answered.record(now - since, times: run.count) }
                run = (since, 0)
            }
            run.count += 1
        }
        if let since = run.since { answered.record(now - since, times: run.count) }
        if acceptedCount > 0 { accepted.increment(by: acceptedCount) }
        clientAnswer.record(wait, times: acceptedCount + answeredCount)
    }

    private func count(_ outcome: SendOutcome) {
        counter(of: outcome.metricLabels).increment()
    }

    /// Returns the counter of an outcome and its reason.
    ///
    /// The first ``ServiceLimits/rejectionReasons`` pairs of an outcome and a reason have a counter each. All further reasons of
    /// one outcome share a counter.
    private func counter(of labels: [String]) -> Counter {
        others.withLock { others in
            if let known = others[labels] { return known }
            let isFull = others.count >= ServiceLimits.rejectionReasons && !labels[1].isEmpty
            let wanted = isFull ? [labels[0], "other"] : labels
            let counter =
                others[wanted] ?? Counter(MetricCatalogue.pushes, app, wanted[0], wanted[1], in: factory)
            others[wanted] = counter
            return counter
        }
    }

    /// Counts new receipts.
    ///
    /// - Parameters:
    ///   - recorded: the receipts that were new.
    ///   - waits: the known times from APNs' acceptance of a push to its receipt `shown`.
    func count(_ recorded: [Receipt], shownAfter waits: [Duration]) {
        for receipt in recorded { receipts[receipt.event]?.increment() }
        for wait in waits { shown.record(wait) }
    }
}

extension SendOutcome {
    /// The values of the labels `outcome` and `reason` of ``MetricCatalogue/pushes``.
    fileprivate var metricLabels: [String] {
        switch self {
        case .accepted: ["accepted", ""]
        case .rejected(let rejection): ["rejected", rejection.reason.rawValue]
        case .withheld(let reason): ["rejected", reason]
        case .unanswered: ["unanswered", ""]
        case .unconnected: ["unconnected", ""]
        case .distrusted: ["distrusted", ""]
        case .noCredential: ["no_credential", ""]
        case .unsendable: ["unsendable", ""]
        case .notSent, .notBegun: ["not_sent", ""]
        }
    }
}
