import CoreMetrics
import Synchronization

/// The value of one series, which ``PrometheusRegistry`` keeps and writes out.
protocol MetricValue: AnyObject, Sendable {
    /// The kind of metric to which values of this type belong.
    var kind: MetricFamily.Kind { get }

    /// Appends the value's lines in [Prometheus' text format](https://prometheus.io/docs/instrumenting/exposition_formats/).
    ///
    /// - Parameters:
    ///   - lines: the text to append to.
    ///   - name: the metric's name.
    ///   - labels: the labels as the format has them, without braces; empty for none.
    func write(to lines: inout String, _ name: String, _ labels: String)
}

/// A count that only grows.
final class CounterValue: CounterHandler, MetricValue {
    private let count = Atomic<Int64>(0)

    var kind: MetricFamily.Kind { .counter }
    var value: Int64 { count.load(ordering: .relaxed) }

    func increment(by amount: Int64) { count.wrappingAdd(amount, ordering: .relaxed) }

    func reset() { count.store(0, ordering: .relaxed) }

    func write(to lines: inout String, _ name: String, _ labels: String) {
        lines.append(name, labels, "\(value)")
    }
}

/// A number that is set, and may grow and shrink.
final class GaugeValue: MeterHandler, RecorderHandler, MetricValue {
    private let bits = Atomic<UInt64>(0)

    var kind: MetricFamily.Kind { .gauge }
    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    func set(_ value: Int64) { set(Double(value)) }

    func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

    func record(_ value: Int64) { set(Double(value)) }

    func record(_ value: Double) { set(value) }

    func increment(by amount: Double) {
        var known = bits.load(ordering: .relaxed)
        while true {
            let wanted = (Double(bitPattern: known) + amount).bitPattern
            let (isDone, found) = bits.weakCompareExchange(expected: known, desired: wanted, ordering: .relaxed)
            if isDone { return }
            known = found
        }
    }

    func decrement(by amount: Double) { increment(by: -amount) }

    func write(to lines: inout String, _ name: String, _ labels: String) {
        lines.append(name, labels, MetricText.number(value))
    }
}

/// Durations, counted in buckets with fixed bounds.
final class HistogramValue: TimerHandler, RecorderHandler, MetricValue {
    private struct State {
        /// The number of durations in each bucket; the last bucket has no upper bound.
        var counts: [Int]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let state: Mutex<State>

    /// Makes an empty histogram.
    ///
    /// - Parameter bounds: the upper bounds of the buckets, in seconds, ascending.
    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(State(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    var kind: MetricFamily.Kind { .histogram }
    /// The number of durations recorded so far, in all buckets together.
    var count: Int { state.withLock { $0.counts.reduce(0, +) } }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9, times: 1) }

    func record(_ value: Int64) { record(Double(value), times: 1) }

    func record(_ value: Double) { record(value, times: 1) }

    /// Counts a duration several times, with one lock.
    func record(_ seconds: Double, times: Int) {
        let bucket = bounds.firstIndex { seconds <= $0 } ?? bounds.count
        state.withLock { state in
            state.counts[bucket] += times
            state.sum += seconds * Double(times)
        }
    }

    func write(to lines: inout String, _ name: String, _ labels: String) {
        let state = state.withLock { $0 }
        let others = labels.isEmpty ? "" : "\(labels),"
        var count = 0
        for (bucket, number) in state.counts.enumerated() {
            count += number
            let bound = bucket < bounds.count ? MetricText.number(bounds[bucket]) : "+Inf"
            lines.append("\(name)_bucket", "\(others)le=\"\(bound)\"", "\(count)")
        }
        lines.append("\(name)_sum", labels, MetricText.number(state.sum))
        lines.append("\(name)_count", labels, "\(count)")
    }
}

/// Writes names, labels and numbers as Prometheus' text format has them.
enum MetricText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Returns labels and their values without braces, such as `app="com.example.chime"`.
    static func labels(_ dimensions: [(String, String)]) -> String {
        dimensions.map { "\(name($0.0))=\"\(escaped($0.1))\"" }.joined(separator: ",")
    }

    /// Returns a name with an underscore in place of each character that Prometheus does not take.
    static func name(_ text: String) -> String {
        String(
            text.enumerated().map { index, character in
                let isLetter = character.isASCII && (character.isLetter || character == "_" || character == ":")
                return isLetter || (index > 0 && character.isASCII && character.isNumber) ? character : "_"
            })
    }

    static func number(_ value: Double) -> String {
        if value == .infinity { return "+Inf" }
        if value == -.infinity { return "-Inf" }
        if value.isNaN { return "NaN" }
        return abs(value) < 1e15 && value == value.rounded() ? "\(Int64(value))" : "\(value)"
    }

    static func escaped(_ text: String) -> String {
        guard text.contains(where: { "\\\"\n".contains($0) }) else { return text }
        return text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}

extension String {
    fileprivate mutating func append(_ name: String, _ labels: String, _ value: String) {
        append(name)
        if !labels.isEmpty { append("{\(labels)}") }
        append(" \(value)\n")
    }
}
