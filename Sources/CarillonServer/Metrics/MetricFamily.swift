/// A metric of the service, with the labels that tell its series apart.
///
/// [Prometheus' conventions](https://prometheus.io/docs/practices/naming/) determine the names: base units, `_total` for a
/// counter, `_seconds` for a time.
struct MetricFamily: Sendable, Hashable {
    /// The kind of a metric, with the words that Prometheus' text format has for it.
    enum Kind: String, Sendable, Hashable {
        case counter
        case gauge
        case histogram
    }

    let name: String
    let kind: Kind
    /// The names of the labels, in the order in which a series gives their values.
    var labels: [String] = []
    /// The upper bounds of a histogram's buckets, in seconds, ascending.
    var bounds: [Double] = []
    /// A sentence that says what the metric counts.
    let help: String

    static func counter(_ name: String, by labels: [String] = [], _ help: String) -> MetricFamily {
        MetricFamily(name: name, kind: .counter, labels: labels, help: help)
    }

    static func gauge(_ name: String, by labels: [String] = [], _ help: String) -> MetricFamily {
        MetricFamily(name: name, kind: .gauge, labels: labels, help: help)
    }

    static func histogram(
        _ name: String, by labels: [String] = [], bounds: [Double], _ help: String
    ) -> MetricFamily {
        MetricFamily(name: name, kind: .histogram, labels: labels, bounds: bounds, help: help)
    }
}

extension MetricFamily {
    /// The upper bounds of the histograms' buckets for waits of pushes and receipts, in seconds: from 50 ms to one day.
    static let longBounds: [Double] = [
        0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600, 14_400, 86_400,
    ]
    /// The upper bounds of the histograms' buckets for response times of APNs and of the database, in seconds: from 1 ms to 30 s.
    static let shortBounds: [Double] = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
    ]
}
