import CoreMetrics
import Synchronization

/// A histogram of durations that counts a batch of equal durations at once.
struct DurationHistogram: Sendable {
    /// The histogram in Carillon's ``PrometheusRegistry``; `nil` if the metrics go to another backend.
    ///
    /// Only this kind of histogram can count a whole batch in one call.
    private let batches: HistogramValue?
    private let timer: CoreMetrics.Timer

    init(_ family: MetricFamily, _ labels: String..., in factory: any MetricsFactory) {
        let dimensions = Array(zip(family.labels, labels))
        let handler = factory.makeTimer(label: family.name, dimensions: dimensions)
        batches = handler as? HistogramValue
        timer = CoreMetrics.Timer(label: family.name, dimensions: dimensions, handler: handler, factory: factory)
    }

    /// Ends the histogram's series.
    func destroy() { timer.destroy() }

    /// Counts a duration; a negative one counts as zero.
    ///
    /// - Parameters:
    ///   - duration: the duration.
    ///   - times: the number of events that took so long. The default is 1.
    func record(_ duration: Duration, times: Int = 1) {
        guard times > 0 else { return }
        let seconds = max(0, duration.inSeconds)
        if let batches { return batches.record(seconds, times: times) }
        for _ in 0..<times { timer.recordSeconds(seconds) }
    }
}

/// A counter that follows a total which something else counts.
final class TotalCounter: Sendable {
    private let counter: Counter
    private let told = Mutex(0)

    init(_ family: MetricFamily, in factory: any MetricsFactory) {
        counter = Counter(label: family.name, dimensions: [], factory: factory)
    }

    /// Raises the counter by the growth of the total since the last call.
    func reach(_ total: Int) {
        let more = told.withLock { told in
            defer { told = max(told, total) }
            return total - told
        }
        if more > 0 { counter.increment(by: more) }
    }
}

/// The gauges of one metric whose series come and go, such as one for each app with an alarm.
final class GaugeSet: Sendable {
    private let family: MetricFamily
    private let factory: any MetricsFactory
    private let meters = Mutex<[[String]: Meter]>([:])

    init(_ family: MetricFamily, in factory: any MetricsFactory) { (self.family, self.factory) = (family, factory) }

    /// Sets the gauges of these series, and removes those of all other series.
    ///
    /// - Parameter values: the number to show for each series. Each key is the list of a series' label values, in the order of
    ///   ``MetricFamily/labels``.
    func set(_ values: [[String]: Double]) {
        meters.withLock { meters in
            for (labels, meter) in meters where values[labels] == nil {
                meter.destroy()
                meters[labels] = nil
            }
            for (labels, value) in values {
                let meter =
                    meters[labels]
                    ?? Meter(
                        label: family.name, dimensions: Array(zip(family.labels, labels)), factory: factory)
                meters[labels] = meter
                meter.set(value)
            }
        }
    }
}

extension Counter {
    convenience init(_ family: MetricFamily, _ labels: String..., in factory: any MetricsFactory) {
        self.init(label: family.name, dimensions: Array(zip(family.labels, labels)), factory: factory)
    }
}

extension Meter {
    convenience init(_ family: MetricFamily, _ labels: String..., in factory: any MetricsFactory) {
        self.init(label: family.name, dimensions: Array(zip(family.labels, labels)), factory: factory)
    }
}

extension Duration {
    /// The duration as a number of seconds.
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
