import CarillonAPNs
import CarillonCore
import CommandSupport
import Foundation

/// The result of a measurement of the client.
struct ClientBenchReport: Sendable {
    let bench: BenchClientCommand
    let payloadByteCount: Int
    /// The client's statistics before the measurement.
    ///
    /// Both ``before`` and ``after`` include the warm-up, so the report shows the difference of the two.
    let before: APNsStatistics
    let after: APNsStatistics
    /// The latencies of a measurement at a fixed rate (`--rate`), counted from the time at which each notification was due; `nil`
    /// without a rate.
    let paced: LatencyHistogram?
    let elapsed: Duration
    let usage: ProcessUsage
    let wasStopped: Bool

    private var count: Int { latency.count }
    private var accepted: Int { after.accepted - before.accepted }
    private var latency: LatencyHistogram { paced ?? after.latency.subtracting(before.latency) }

    private var seconds: Double {
        Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    }

    private var secondsPer100000: Double {
        count == 0 ? 0 : (usage.userSeconds + usage.systemSeconds) * 100_000 / Double(count)
    }

    /// Returns whether APNs accepted every notification, or, if `expectsRefusals` is true, answered every notification.
    func isClean(expectsRefusals: Bool) -> Bool {
        let failed = after.failed.values.reduce(0, +) - before.failed.values.reduce(0, +)
        return expectsRefusals ? count == bench.count && failed == 0 : accepted == bench.count && count == bench.count
    }

    func printed(asJSON: Bool) throws -> String {
        asJSON ? String(decoding: try json.encoded(), as: UTF8.self) : text
    }

    private var text: String {
        let share = [0.5, 0.99, 0.999].map { milliseconds(latency.quantile($0)) }
        var lines = [
            "\(bench.api.rawValue), \(bench.connections) connection(s) of \(bench.streams) streams: \(accepted) of \(bench.count) accepted"
                + (wasStopped ? ", stopped early" : ""),
            String(
                format: "CPU       %.2f s per 100,000 (%.2f s user, %.2f s system in all)", secondsPer100000,
                usage.userSeconds, usage.systemSeconds),
            String(format: "rate      %.0f per second for %.2f s", Double(count) / max(seconds, 0.001), seconds),
            String(
                format: "latency   p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms%@", share[0], share[1], share[2],
                paced == nil ? "" : " from the time each was due"),
            "memory    \(usage.peakMemoryByteCount / 1_048_576) MiB resident at most",
            "tokens    \(after.providerTokens) provider tokens signed; connections opened \(after.connectionsOpened), lost \(after.connectionsLost)",
        ]
        for (reason, count) in after.rejected { lines.append("rejected  \(count) \(reason)") }
        for (code, count) in after.failed { lines.append("failed    \(count) \(code)") }
        return lines.joined(separator: "\n")
    }

    private var json: JSONValue {
        [
            "api": .string(bench.api.rawValue), "connections": .int(Int64(bench.connections)),
            "streams": .int(Int64(bench.streams)), "payload_bytes": .int(Int64(payloadByteCount)),
            "count": .int(Int64(count)), "accepted": .int(Int64(accepted)),
            "rejected": .object(
                Dictionary(after.rejected.map { ($0.key.rawValue, .int(Int64($0.value))) }) { first, _ in first }),
            "failed": .object(
                Dictionary(after.failed.map { ($0.key.description, .int(Int64($0.value))) }) { first, _ in first }),
            "stopped_early": .bool(wasStopped), "rate_wanted": bench.rate.map { .int(Int64($0)) } ?? .null,
            "seconds": .double(seconds), "per_second": .double(Double(count) / max(seconds, 0.001)),
            "cpu_user_seconds": .double(usage.userSeconds), "cpu_system_seconds": .double(usage.systemSeconds),
            "cpu_seconds_per_100000": .double(secondsPer100000),
            "peak_memory_bytes": .int(Int64(usage.peakMemoryByteCount)),
            "latency_ms": [
                "p50": .double(milliseconds(latency.quantile(0.5))),
                "p99": .double(milliseconds(latency.quantile(0.99))),
                "p99_9": .double(milliseconds(latency.quantile(0.999))),
            ],
            "provider_tokens": .int(Int64(after.providerTokens)),
            "connections_opened": .int(Int64(after.connectionsOpened)),
            "connections_lost": .int(Int64(after.connectionsLost)),
        ]
    }

    private func milliseconds(_ duration: Duration?) -> Double {
        guard let duration else { return 0 }
        return Double(duration.components.seconds) * 1000 + Double(duration.components.attoseconds) / 1e15
    }
}
