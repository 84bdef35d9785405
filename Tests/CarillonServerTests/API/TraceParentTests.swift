import CarillonCore
import Foundation
import Logging
import Testing

@testable import CarillonServer

@Suite("The trace that a call belongs to")
struct TraceParentTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    @Test(
        "is the second part of a well-formed traceparent",
        arguments: ["00-\(trace)-00f067aa0ba902b7-01", "cc-\(trace)-00f067aa0ba902b7-01-what-the-future-brings"])
    func wellFormed(header: String) {
        #expect(TraceParent.traceID(header) == Self.trace)
    }

    @Test(
        "is not known from another header",
        arguments: [
            "", trace, "00-\(trace)-00f067aa0ba902b7", "ff-\(trace)-00f067aa0ba902b7-01",
            "00-\(trace)-00f067aa0ba902b7-01-more", "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-\(trace)-0000000000000000-01", "00-\(trace.uppercased())-00f067aa0ba902b7-01",
            "00-\(trace.dropLast())é-00f067aa0ba902b7-01",
        ])
    func malformed(header: String) {
        #expect(TraceParent.traceID(header) == nil)
    }

    @Test("is in the line about a recall, which has no other id of the request", .timeLimit(.minutes(5)))
    func line() async throws {
        let lines = RecordedLines()
        try await RunningService.run(logger: lines.logger) { service in
            let phone = TestPhone("phone", on: service)
            try await phone.register(user: "u1")
            for id in ["traced", "untraced"] {
                _ = try await service.call(
                    "POST", "/v1/notifications",
                    body: ["to": ["user": "u1"], "payload": ["aps": ["alert": "x"]], "id": .string(id)])
            }
            _ = try await service.call(
                "DELETE", "/v1/notifications/traced", headers: ["traceparent": "00-\(Self.trace)-00f067aa0ba902b7-01"])
            _ = try await service.call("DELETE", "/v1/notifications/untraced")
            _ = try await service.call("DELETE", "/v1/users/u1")
        }
        let recalls = lines.all.filter { $0.message == "a message was recalled" }.map(\.metadata)
        #expect(
            recalls == [
                ["message": "traced", "app": "\(topic)", "trace_id": "\(Self.trace)"],
                ["message": "untraced", "app": "\(topic)"],
            ])
        let erasure = lines.all.first { $0.message == "a user was erased" }
        #expect(erasure?.metadata == ["devices": "1", "messages": "2", "app": "\(topic)"])
        #expect(lines.all.first?.message == "the service starts")
        #expect(lines.all.contains { $0.message == "the service has stopped" })
    }
}

/// A logger that keeps what it is told, from the level notice.
struct RecordedLines: Sendable {
    struct Line: Sendable {
        var message: String
        var metadata: Logger.Metadata
    }

    private let lines = SharedValue<[Line]>([])

    var all: [Line] { lines.withLock { $0 } }

    var logger: Logger { Logger(label: "test") { _ in Handler(lines: lines) } }

    private struct Handler: LogHandler {
        let lines: SharedValue<[Line]>
        var metadata = Logger.Metadata()
        var logLevel = Logger.Level.notice

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
            lines.withLock { $0.append(Line(message: "\(event.message)", metadata: all)) }
        }
    }
}
