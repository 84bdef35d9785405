import Foundation
import Testing

@Suite("The units of systemd")
struct UnitFileTests {
    private static func settings(_ unit: String) throws -> [String: String] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "Packaging/\(unit)"), encoding: .utf8)
        return text.split(separator: "\n").reduce(into: [:]) { settings, line in
            let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 { settings[parts[0]] = parts[1] }
        }
    }

    /// systemd takes SIGHUP for a clean end, and gives up after five starts in ten seconds (systemd.service(5),
    /// systemd.unit(5)).
    @Test("a service that is reloaded by a signal starts again after any end, and never too often for systemd")
    func reloaded() throws {
        let settings = try Self.settings("carillon.service")
        try #require(settings["ExecReload"]?.contains("kill -HUP") == true)
        #expect(settings["Restart"] == "always")
        #expect((settings["RestartSec"].flatMap(Double.init) ?? 0.1) * 5 > 10)
    }
}
