import CarillonCore

/// Formats the service's counters (``ServiceMetrics``) in Prometheus' text format ([exposition
/// formats](https://prometheus.io/docs/instrumenting/exposition_formats/)).
enum MetricsText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    static func of(
        _ snapshot: ServiceMetrics.Snapshot, alarms: [SendingGates.Alarm], endingCredentials: Int,
        connections: (open: Int, refused: Int), at now: Timestamp
    ) -> String {
        var lines = family("carillon_messages_accepted_total", "counter", "Messages accepted by this process.")
        lines.append("carillon_messages_accepted_total \(snapshot.messagesAccepted)")
        lines += family("carillon_events_total", "counter", "Timeline events written by this process.")
        for kind in TimelineEventKind.allCases {
            lines.append("carillon_events_total{event=\"\(kind.rawValue)\"} \(snapshot.events[kind] ?? 0)")
        }
        lines += family("carillon_rejections_total", "counter", "Pushes that APNs rejected, by its reason.")
        for (reason, count) in snapshot.rejections.sorted(by: { $0.key < $1.key }) {
            lines.append("carillon_rejections_total{reason=\"\(escaped(reason))\"} \(count)")
        }
        lines += family("carillon_unknown_tokens_total", "counter", "New installations whose token APNs does not know.")
        lines.append("carillon_unknown_tokens_total \(snapshot.unknownTokens)")
        lines += family("carillon_alarms", "gauge", "Apps whose sending is stopped.")
        lines.append("carillon_alarms \(alarms.count)")
        lines += family("carillon_stopped_seconds", "gauge", "The time for which nothing of an app could be sent.")
        for alarm in alarms {
            let labels = "app=\"\(escaped(alarm.app.topic))\",environment=\"\(alarm.app.environment.rawValue)\""
            let seconds = max(0, (now - alarm.since).wholeMilliseconds / 1000)
            lines.append("carillon_stopped_seconds{\(labels)} \(seconds)")
        }
        lines += family("carillon_ending_credentials", "gauge", "Certificates that end within 30 days, or have ended.")
        lines.append("carillon_ending_credentials \(endingCredentials)")
        lines += family("carillon_connections", "gauge", "Open connections to this process.")
        lines.append("carillon_connections \(connections.open)")
        lines += family("carillon_connections_refused_total", "counter", "Connections refused as one too many.")
        lines.append("carillon_connections_refused_total \(connections.refused)")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func family(_ name: String, _ type: String, _ help: String) -> [String] {
        ["# HELP \(name) \(help)", "# TYPE \(name) \(type)"]
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
