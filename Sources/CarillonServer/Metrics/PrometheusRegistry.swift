import CoreMetrics
import Synchronization

/// Keeps all metrics of one service, and writes them in Prometheus' text format.
///
/// The service makes its metrics with swift-metrics, and passes this registry to it as the `MetricsFactory`.
/// `docs/decisions/084-metrics.md` tells why the package has its own registry.
final class PrometheusRegistry: MetricsFactory {
    private struct State {
        /// The metrics by name, in the order in which they are written.
        var families: [MetricFamily]
        var places: [String: Int]
        /// The series of each metric, by their labels.
        var series: [String: [String: any MetricValue]] = [:]
    }

    /// The greatest number of series of one metric; further ones are counted nowhere.
    static let seriesLimit = 5000

    private let state: Mutex<State>

    /// Makes a registry.
    ///
    /// - Parameter families: the metrics that the output lists even while they have no series. The registry adds another metric
    ///   when its first series is made.
    init(_ families: [MetricFamily] = MetricCatalogue.all) {
        let places = Dictionary(families.enumerated().map { ($1.name, $0) }) { first, _ in first }
        state = Mutex(State(families: families, places: places))
    }

    /// All metrics in Prometheus' text format.
    var text: String {
        let (families, series) = state.withLock { ($0.families, $0.series) }
        var text = ""
        for family in families {
            text += "# HELP \(family.name) \(family.help)\n# TYPE \(family.name) \(family.kind.rawValue)\n"
            for (labels, value) in (series[family.name] ?? [:]).sorted(by: { $0.key < $1.key }) {
                value.write(to: &text, family.name, labels)
            }
        }
        return text
    }

    /// Returns the value of a counter or a gauge, or the number of a histogram's durations; `nil` if there is no such series.
    func value(of family: MetricFamily, _ labels: String...) -> Double? {
        let key = MetricText.labels(Array(zip(family.labels, labels)))
        switch state.withLock({ $0.series[family.name]?[key] }) {
        case let counter as CounterValue: return Double(counter.value)
        case let gauge as GaugeValue: return gauge.value
        case let histogram as HistogramValue: return Double(histogram.count)
        default: return nil
        }
    }

    // MARK: The factory

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        made(label, dimensions, .counter) { _ in CounterValue() } ?? NOOPMetricsHandler.instance
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        made(label, dimensions, .gauge) { _ in GaugeValue() } ?? NOOPMetricsHandler.instance
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        let recorder: (any RecorderHandler)? =
            aggregate
            ? made(label, dimensions, .histogram) { HistogramValue(bounds: $0) }
            : made(label, dimensions, .gauge) { _ in GaugeValue() }
        return recorder ?? NOOPMetricsHandler.instance
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        made(label, dimensions, .histogram) { HistogramValue(bounds: $0) } ?? NOOPMetricsHandler.instance
    }

    func destroyCounter(_ handler: any CounterHandler) { forget(handler) }

    func destroyMeter(_ handler: any MeterHandler) { forget(handler) }

    func destroyRecorder(_ handler: any RecorderHandler) { forget(handler) }

    func destroyTimer(_ handler: any TimerHandler) { forget(handler) }

    /// Returns the series with these labels, and makes it if there is none.
    ///
    /// - Returns: the series; `nil` if the metric is of another kind, or has ``seriesLimit`` series.
    private func made<Value: MetricValue>(
        _ label: String, _ dimensions: [(String, String)], _ kind: MetricFamily.Kind, _ make: ([Double]) -> Value
    ) -> Value? {
        let (name, key) = (MetricText.name(label), MetricText.labels(dimensions))
        return state.withLock { state in
            if let known = state.series[name]?[key] { return known as? Value }
            let place = state.places[name] ?? state.families.count
            if place == state.families.count {
                state.places[name] = place
                state.families.append(
                    MetricFamily(
                        name: name, kind: kind, labels: dimensions.map(\.0), bounds: MetricFamily.shortBounds,
                        help: "Of a library."))
            }
            let family = state.families[place]
            guard family.kind == kind, state.series[name]?.count ?? 0 < Self.seriesLimit else { return nil }
            let value = make(family.bounds)
            state.series[name, default: [:]][key] = value
            return value
        }
    }

    private func forget(_ handler: AnyObject) {
        state.withLock { state in
            for (name, series) in state.series {
                guard let key = series.first(where: { $0.value === handler })?.key else { continue }
                state.series[name]?[key] = nil
                return
            }
        }
    }
}
