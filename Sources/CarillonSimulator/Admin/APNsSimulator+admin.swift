import CarillonCore

extension APNsSimulator {
    /// The URL of the admin API, such as `http://127.0.0.1:40123`; `nil` without ``SimulatorConfiguration/adminPort``.
    public var adminURL: String? { adminPort.map { "http://\(URLAuthority.text(host: host, port: $0))" } }

    /// The port of the admin API; `nil` without ``SimulatorConfiguration/adminPort``.
    public var adminPort: Int? { admin?.port }

    var adminDescription: JSONValue {
        var members: [String: JSONValue] = [
            "host": .string(host), "port": .int(Int64(port)), "ports": .array(ports.map { .int(Int64($0)) }),
            "team_id": .string(teamID), "key_id": .string(keyID),
            "environment": .string(environment.rawValue), "topics": .array(topics.sorted().map { .string($0) }),
        ]
        members["paths"] = .array(
            [
                "GET /ca.pem", "GET /metrics", "GET /events?after=", "GET /events/stream", "DELETE /events",
                "GET /requests?after=", "GET /inbox", "GET /pushes?before=&limit=&outcome=&search=",
                "GET /pushes/{number}",
                "GET /pushes/stream", "GET /devices", "GET /devices/{id}", "POST /devices/{id}/tokens",
                "GET /devices/{id}/pushes", "PUT /devices/{id}/power", "PUT /devices/{id}/channels", "GET /fleet",
                "POST /fleet/tokens", "POST /fleet/pushes", "DELETE /tokens/{token}", "POST /tokens/{token}/answers",
                "POST /answers",
                "GET|PUT|DELETE /faults", "GET|PUT /delivery", "POST /goaway", "GET|PUT|DELETE /connections",
                "PUT /listening", "POST /clock",
            ].map { .string($0) })
        return .object(members)
    }

    /// The simulator's counters since its start, in Prometheus' text format.
    public var metrics: String {
        let values = counters.values
        var lines: [String] = []
        func add(_ name: String, _ help: String, kind: String = "counter", _ samples: [(String, Int)]) {
            lines += ["# HELP carillon_apns_\(name) \(help)", "# TYPE carillon_apns_\(name) \(kind)"]
            lines += samples.map { "carillon_apns_\(name)\($0.0) \($0.1)" }
        }
        add("accepted_total", "Requests that were answered 200.", [("", values.accepted)])
        add(
            "rejected_total", "Requests that were rejected, by reason.",
            values.rejected.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                (#"{reason="\#($0.key.rawValue)"}"#, $0.value)
            })
        add("failed_total", "Requests that an injected fault left without APNs' answer.", [("", values.failed)])
        add("connections_total", "Connections since the start.", [("", values.connections)])
        add("connections", "Connections that are open.", kind: "gauge", [("", connectionCount)])
        add("delivered_total", "Pushes that were handed to devices.", [("", values.delivered)])
        add("stored_total", "Pushes that had to wait.", [("", values.stored)])
        add(
            "discarded_total", "Pushes that no device got, by cause.",
            values.discarded.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                (#"{cause="\#($0.key.rawValue)"}"#, $0.value)
            })
        return lines.joined(separator: "\n") + "\n"
    }
}
