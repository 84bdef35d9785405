import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A service whose database cannot be written", .timeLimit(.minutes(5)))
struct OutageTests {
    private static func run(
        roles: Set<ServiceConfiguration.Role>,
        _ body: @Sendable (RunningService, FailingEngine, LogLines) async throws -> Void
    ) async throws {
        let log = LogLines()
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let engine = FailingEngine(
            try SQLiteEngine(path: folder.url.appending(path: "carillon.sqlite").path))
        let store = Store(engine)
        for app in [chime, ferry] { _ = try await store.put(AppSettings(topic: app.topic), at: noon) }
        try await RunningService.run(
            store: store, roles: roles, operators: .init(host: "127.0.0.1", port: 0), logger: log.logger
        ) { service in
            var operators = service
            let port = try await service.service.operatorPort()
            operators.base = try #require(URL(string: "http://127.0.0.1:\(port)"))
            try await body(operators, engine, log)
            // Its end writes to the store.
            engine.fail(nil)
        }
    }

    @Test("is neither ready nor healthy, says why, and is both again when writing works again")
    func probes() async throws {
        try await Self.run(roles: [.api]) { service, engine, log in
            let before = try await service.call("GET", "/readyz", auth: "")
            #expect(before.status == 200 && before.json == ["status": "ready", "waits_for": []])
            engine.fail(.diskIsFull)
            service.clock.advance(by: .seconds(5))
            let reason = JSONValue.string(ServiceError.diskIsFull.description)
            let ready = try await service.call("GET", "/readyz", auth: "")
            #expect(ready.status == 503 && ready.json["waits_for"] == ["database"], "\(ready.json)")
            #expect(ready.json["reason"] == reason, "\(ready.json)")
            let health = try await service.call("GET", "/healthz", auth: "")
            #expect(health.status == 503 && health.json["status"] == "down" && health.json["reason"] == reason)
            let metrics = try await service.call("GET", "/metrics", auth: "")
            #expect(String(decoding: metrics.data, as: UTF8.self).contains("\ncarillon_ready 0\n"))
            #expect(log.lines("the database cannot be written").count == 1, "\(log.lines())")
            #expect(log.lines("the database cannot be written").first?.contains("the disk is full") == true)
            engine.fail(nil)
            #expect(try await service.call("GET", "/readyz", auth: "").status == 200)
            #expect(try await service.call("GET", "/healthz", auth: "").json["status"] == "ok")
        }
    }

    @Test("logs one line a minute for its refused calls, with their number")
    func calls() async throws {
        try await Self.run(roles: [.api]) { service, engine, log in
            engine.fail(.diskIsFull)
            for number in 0..<50 {
                let answer = try await service.call(
                    "POST", "/v1/notifications",
                    body: ["to": ["user": "u"], "payload": ["aps": ["alert": "x"]], "id": .string("m\(number)")])
                #expect(answer.status == 503)
            }
            #expect(log.lines("the database cannot be written").count == 1)
            service.clock.advance(by: ServiceLimits.refusalReminder)
            _ = try await service.call("DELETE", "/v1/users/u")
            let lines = log.lines("the database cannot be written")
            #expect(lines.count == 2 && lines.last?.contains("times=50") == true, "\(lines)")
        }
    }

    @Test("logs at most one line a minute of its sender, whatever the sender tries")
    func sender() async throws {
        try await Self.run(roles: [.sender]) { service, engine, log in
            engine.fail(.databaseIsBusy)
            let minutes = 20
            for _ in 0..<minutes * 60 {
                service.clock.advance(by: .seconds(1))
                for _ in 0..<20 { await Task.yield() }
            }
            let lines = log.lines("the store failed")
            #expect((2...minutes + 1).contains(lines.count), "\(lines.count)")
            #expect(lines.last?.contains("another process has been writing") == true, "\(lines.last ?? "none")")
        }
    }
}
