import CoreMetrics
import Foundation
import Testing

@testable import CarillonServer

@Suite("The registry of metrics")
struct PrometheusRegistryTests {
    private let waits = MetricFamily.histogram("waits_seconds", by: ["app"], bounds: [0.5, 2], "Waits.")
    private let calls = MetricFamily.counter("calls_total", by: ["app", "kind"], "Calls.")
    private let size = MetricFamily.gauge("size", "Size.")

    @Test("writes each metric in Prometheus' text format, in the order of the catalogue, with its series sorted")
    func text() {
        let registry = PrometheusRegistry([waits, calls, size])
        Counter(calls, "b", "x", in: registry).increment(by: 2)
        Counter(calls, "a\"\\\n", "x", in: registry).increment()
        Meter(size, in: registry).set(2.5)
        let histogram = DurationHistogram(waits, "a", in: registry)
        histogram.record(.milliseconds(500), times: 3)
        histogram.record(.seconds(1))
        histogram.record(.seconds(-1))
        histogram.record(.seconds(3))
        #expect(
            registry.text == """
                # HELP waits_seconds Waits.
                # TYPE waits_seconds histogram
                waits_seconds_bucket{app="a",le="0.5"} 4
                waits_seconds_bucket{app="a",le="2"} 5
                waits_seconds_bucket{app="a",le="+Inf"} 6
                waits_seconds_sum{app="a"} 5.5
                waits_seconds_count{app="a"} 6
                # HELP calls_total Calls.
                # TYPE calls_total counter
                calls_total{app="a\\"\\\\\\n",kind="x"} 1
                calls_total{app="b",kind="x"} 2
                # HELP size Size.
                # TYPE size gauge
                size 2.5

                """)
    }

    @Test("gives equal labels one series, and another kind of a known name none")
    func series() {
        let registry = PrometheusRegistry([calls])
        Counter(calls, "a", "x", in: registry).increment()
        Counter(calls, "a", "x", in: registry).increment()
        #expect(registry.value(of: calls, "a", "x") == 2)
        Meter(label: calls.name, dimensions: [("app", "b")], factory: registry).set(7)
        #expect(!registry.text.contains(" 7\n"))
    }

    @Test("takes a library's metric under a name that Prometheus takes")
    func library() {
        let registry = PrometheusRegistry([])
        Counter(label: "hb.requests", dimensions: [("hb.method", "GET")], factory: registry).increment()
        #expect(registry.text.contains("# TYPE hb_requests counter\nhb_requests{hb_method=\"GET\"} 1\n"))
        CoreMetrics.Timer(label: "hb.time", dimensions: [], factory: registry).recordMilliseconds(20)
        #expect(registry.text.contains("hb_time_bucket{le=\"0.025\"} 1\n"))
    }

    @Test("makes no more series of a metric than its limit")
    func limit() {
        let registry = PrometheusRegistry([calls])
        for number in 0...PrometheusRegistry.seriesLimit {
            Counter(calls, "\(number)", "x", in: registry).increment()
        }
        #expect(registry.value(of: calls, "\(PrometheusRegistry.seriesLimit - 1)", "x") == 1)
        #expect(registry.value(of: calls, "\(PrometheusRegistry.seriesLimit)", "x") == nil)
    }

    @Test("has only the series of a set that were set last")
    func set() {
        let registry = PrometheusRegistry([size, calls])
        let family = MetricFamily.gauge("stopped_seconds", by: ["app"], "Stopped.")
        let gauges = GaugeSet(family, in: registry)
        gauges.set([["a"]: 1, ["b"]: 2])
        gauges.set([["b"]: 3])
        #expect(registry.value(of: family, "a") == nil && registry.value(of: family, "b") == 3)
        gauges.set([["a"]: 4])
        #expect(registry.value(of: family, "a") == 4 && registry.value(of: family, "b") == nil)
    }

    @Test("a counter that follows a total grows by each difference, and never shrinks")
    func total() {
        let registry = PrometheusRegistry([])
        let family = MetricFamily.counter("opened_total", "Opened.")
        let counter = TotalCounter(family, in: registry)
        for total in [3, 3, 5, 2, 6] { counter.reach(total) }
        #expect(registry.value(of: family) == 6)
    }
}
