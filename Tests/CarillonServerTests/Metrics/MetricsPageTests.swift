import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

/// The catalogue of metrics, `docs/metrics.md`, the dashboard and the alarm rules agree.
@Suite("The metrics that pages, panels and rules name")
struct MetricsPageTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    @Test("a metric's name follows Prometheus' conventions")
    func conventions() {
        let names = MetricCatalogue.all.map(\.name)
        #expect(Set(names).count == names.count && names.count > 30)
        for family in MetricCatalogue.all {
            #expect(family.name.wholeMatch(of: /carillon_[a-z]+(_[a-z]+)*/) != nil, "\(family.name)")
            #expect((family.kind == .counter) == family.name.hasSuffix("_total"), "\(family.name)")
            #expect(family.kind != .histogram || family.name.hasSuffix("_seconds"), "\(family.name)")
            #expect((family.kind == .histogram) == !family.bounds.isEmpty && family.bounds == family.bounds.sorted())
            #expect(family.help.hasSuffix(".") && !family.help.contains("|"), "\(family.name)")
        }
    }

    @Test("docs/metrics.md has each metric with its type, labels and meaning, and no other")
    func table() throws {
        let rows = try Self.text("docs/metrics.md").split(separator: "\n").filter { $0.hasPrefix("| `carillon_") }
        let expected = MetricCatalogue.all.map { family in
            let labels = family.labels.map { "`\($0)`" }.joined(separator: ", ")
            return "| `\(family.name)` | \(family.kind.rawValue) | \(labels.isEmpty ? "–" : labels) | \(family.help) |"
        }
        #expect(rows.map(String.init) == expected)
    }

    @Test(
        "each metric that panels, rules and their tests name is one that GET /metrics has, with those labels",
        arguments: [
            "Packaging/grafana/carillon.json", "Packaging/prometheus/carillon.rules.yml",
            "Tests/Prometheus/carillon.test.yml", "docs/metrics.md", "docs/shared-resources.md",
            "docs/connecting-to-apns.md",
        ])
    func names(path: String) async throws {
        let metrics = try await RunningService.run { service in
            String(decoding: try await service.call("GET", "/metrics", auth: "").data, as: UTF8.self)
        }
        let text = try Self.text(path).replacing("\\\"", with: "\"")
        let named = Set(text.matches(of: /\bcarillon_[a-z_]*[a-z]\b/).map { String($0.0) }).subtracting(["carillon_"])
        #expect(!named.isEmpty)
        for name in named {
            let family = name.replacing(/_seconds_(?:bucket|sum|count)$/, with: "_seconds")
            #expect(metrics.contains("# TYPE \(family) "), "\(path) names \(name)")
        }
        for match in text.matches(of: /\b(carillon_[a-z_]*[a-z])\{([^}]*)\}/) {
            let name = match.1.replacing(/_seconds_(?:bucket|sum|count)$/, with: "_seconds")
            let known = MetricCatalogue.all.first { $0.name == name }?.labels ?? []
            for label in match.2.matches(of: /([a-z]+)(?:=|!=|=~|!~)"/).map({ String($0.1) }) {
                #expect((known + ["instance", "job", "le"]).contains(label), "\(path): \(name) has no label \(label)")
            }
        }
    }

    @Test("docs/metrics.md has each alarm, and each has a series that makes it fire")
    func alarms() throws {
        let rules = try Self.text("Packaging/prometheus/carillon.rules.yml")
        let alarms = rules.matches(of: /- alert: ([A-Za-z]+)/).map { String($0.1) }
        let page = try Self.text("docs/metrics.md")
        let rows = page.matches(of: /\| `(Carillon[A-Za-z]+)` \|/).map { String($0.1) }
        #expect(rows == alarms && alarms.count > 8)
        let tests = try Self.text("Tests/Prometheus/carillon.test.yml")
        for alarm in alarms {
            #expect(tests.contains("- alertname: \(alarm)\n"), "\(alarm) has no test")
        }
    }
}
