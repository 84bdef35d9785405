import CarillonCore
import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import carillon

@Suite("A changed configuration file")
struct SettingsWatchTests {
    private static func file(_ name: String, _ value: String) -> GivenSetting {
        GivenSetting(name: name, values: [value], place: .file(path: "c", line: 1))
    }

    @Test("its settings are told apart: those that hold at once, and those that need a restart")
    func change() {
        let change = SettingsChange(
            from: [Self.file("port", "1"), Self.file("calls-per-key", "5"), Self.file("host", "a")],
            to: [Self.file("port", "2"), Self.file("trusted-proxy", "10.0.0.7"), Self.file("host", "a")])
        #expect(change.adjusted == ["calls-per-key", "trusted-proxy"] && change.needsRestart == ["port"])
        let moved = SettingsChange(
            from: [Self.file("host", "a")], to: [GivenSetting(name: "host", values: ["a"], place: .commandLine)])
        #expect(moved.adjusted.isEmpty && moved.needsRestart.isEmpty)
    }

    @Test("is read when its text has changed or a person asks, and a fault leaves the former settings")
    func reading() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "carillon.yaml").path
        func write(_ text: String) throws { try text.write(toFile: path, atomically: true, encoding: .utf8) }
        try write("calls-per-key: 5")
        let adjusted = SharedLog()
        let log = SharedLog()
        let watch = SettingsWatch(
            try ServeArguments(commandLine: ["--config", path], environment: [:]),
            clock: ManualClock(start: Timestamp(secondsSince1970: 1_800_000_000)),
            logger: Logger(label: "test") { _ in log.handler() }
        ) {
            adjusted.add($0.arguments.first ?? "")
        } record: { _ in
        }

        watch.read(isAsked: false)
        #expect(adjusted.lines.isEmpty && log.lines.isEmpty, "nothing has changed")
        try write("calls-per-key: 6\nport: 9")
        watch.read(isAsked: false)
        #expect(adjusted.lines == ["--calls-per-key=6"])
        #expect(log.lines.count == 2 && log.lines[0].contains("changed settings hold now settings=calls-per-key"))
        #expect(log.lines[1].contains("after a restart only settings=port"))
        try write("calls-per-kye: 7")
        watch.read(isAsked: false)
        watch.read(isAsked: false)
        #expect(adjusted.lines.count == 1 && log.lines.count == 3)
        #expect(log.lines[2].contains("the former settings stay") && log.lines[2].contains("calls-per-key"))
        try FileManager.default.removeItem(atPath: path)
        watch.read(isAsked: false)
        #expect(log.lines.count == 4 && adjusted.lines.count == 1, "a file that is gone is a fault")
        try write("calls-per-key: 6\nport: 9")
        watch.read(isAsked: true)
        #expect(log.lines.last?.contains("no changed settings") == true)
    }

    @Test("is noticed also when it changed while the service was still starting")
    func duringStart() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "carillon.yaml").path
        try "calls-per-key: 5".write(toFile: path, atomically: true, encoding: .utf8)
        let arguments = try ServeArguments(commandLine: ["--config", path], environment: [:])
        try "calls-per-key: 6".write(toFile: path, atomically: true, encoding: .utf8)
        let adjusted = SharedLog()
        let watch = SettingsWatch(
            arguments, clock: ManualClock(start: Timestamp(secondsSince1970: 1_800_000_000)),
            logger: Logger(label: "test") { _ in SharedLog().handler() }
        ) {
            adjusted.add($0.arguments.first ?? "")
        } record: { _ in
        }
        watch.read(isAsked: false)
        #expect(adjusted.lines == ["--calls-per-key=6"])
    }
}

/// Lines that a test collects.
final class SharedLog: Sendable {
    private let state = Mutex<[String]>([])

    var lines: [String] { state.withLock { $0 } }

    func add(_ line: String) { state.withLock { $0.append(line) } }

    func handler() -> any LogHandler { Handler(log: self) }

    private struct Handler: LogHandler {
        let log: SharedLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let pairs = (event.metadata ?? [:]).map { "\($0.key)=\($0.value)" }.sorted()
            log.add((["\(event.message)"] + pairs).joined(separator: " "))
        }
    }
}
