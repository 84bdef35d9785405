import CarillonCore
import Foundation
import TestSupport
import Testing

@testable import CarillonServer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("GET /v1/events", .timeLimit(.minutes(3)))
struct FeedAPITests {
    private static func send(_ id: String, by service: RunningService) async throws {
        let answer = try await service.call(
            "POST", "/v1/notifications",
            body: [
                "to": ["everyone": true], "payload": ["aps": ["alert": "Hello"]], "id": .string(id),
                // It is not finished at once then.
                "send_at": .string("\(service.clock.now + .seconds(3600))"),
            ])
        #expect(answer.status == 202)
    }

    @Test("gives pages whose cursors follow one another")
    func pages() async throws {
        try await RunningService.run(roles: [.api]) { service in
            let start = try await service.call("GET", "/v1/events")
            #expect(start.status == 200 && start.json["events"] == [])
            for id in ["a", "b", "c"] { try await Self.send(id, by: service) }
            var (next, found) = (try #require(start.json["next"]?.stringValue), [String?]())
            for _ in 0..<3 {
                let page = try await service.call("GET", "/v1/events?after=\(next)&limit=1")
                #expect(page.json["events"]?.arrayValue?.count == 1)
                found += (page.json["events"]?.arrayValue ?? []).map { $0["message"]?.stringValue }
                next = try #require(page.json["next"]?.stringValue)
            }
            #expect(found == ["a", "b", "c"])
            let end = try await service.call("GET", "/v1/events?after=\(next)")
            #expect(end.json["events"] == [] && end.json["next"]?.stringValue == next)
        }
    }

    @Test(
        "names what it does not understand",
        arguments: [
            ("after=x", #""x" is no cursor"#), ("after=01-0", #""01-0" is no cursor"#),
            ("after=9000-0", "9000-0 is a cursor of another database"), ("types=webhook.test", "is no type of event"),
            ("types=message.acepted", "did you mean message.accepted?"), ("types=", "is no type of event"),
            ("limit=0", "limit is a whole number"), ("texts=1", "texts is true or false"),
            ("since=1", "Known are after"),
        ])
    func refused(_ query: String, _ words: String) async throws {
        try await RunningService.run(roles: [.api]) { service in
            let answer = try await service.call("GET", "/v1/events?\(query)")
            #expect(answer.status == 400)
            #expect(answer.json["detail"]?.stringValue?.contains(words) == true, "\(answer.json)")
        }
    }

    @Test("answers 410 with the time from which on there are events")
    func gone() async throws {
        try await RunningService.run(roles: [.api]) { service in
            let start = try #require(try await service.call("GET", "/v1/events").json["next"]?.stringValue)
            service.clock.advance(by: StoreLimits.feedKept + .seconds(1))
            let answer = try await service.call("GET", "/v1/events?after=\(start)")
            #expect(answer.status == 410)
            #expect(answer.json["detail"]?.stringValue?.contains("\(service.clock.now)") == true, "\(answer.json)")
        }
    }

    @Test(
        "streams events as they happen, and goes on after the last one that a reader names", arguments: [false, true])
    func stream(_ isElsewhere: Bool) async throws {
        let stores = try await StoreEngine.sqlite.makeSeveral(2)
        try await RunningService.run(store: stores[0], roles: [.api], isReal: true, poll: .milliseconds(20)) {
            service in
            try await RunningService.run(store: stores[1], roles: [.api], isReal: true) { other in
                let writer = isElsewhere ? other : service
                var stream = try await service.stream()
                defer { stream.close() }
                #expect(try await stream.next()["event"] == nil, "the cursor of now")
                try await Self.send("a", by: writer)
                let first = try await stream.next()
                #expect(first["event"] == "message.accepted" && first["data"]?.contains(#""message":"a""#) == true)
                try await Self.send("b", by: writer)
                #expect(try await stream.next()["data"]?.contains(#""message":"b""#) == true)
                var again = try await service.stream(after: first["id"])
                defer { again.close() }
                _ = try await again.next()
                #expect(try await again.next()["data"]?.contains(#""message":"b""#) == true)
                let refused = try await service.call(
                    "GET", "/v1/events", headers: ["Accept": "text/event-stream", "Last-Event-ID": "?"])
                #expect(refused.status == 400)
            }
        }
    }

    @Test("ends a stream whose key is revoked")
    func revoked() async throws {
        try await RunningService.run(roles: [.api]) { service in
            let other = try await service.keys.make(name: "reader", scopes: [.read], apps: [chime]).key
            var stream = try await service.stream(key: other)
            defer { stream.close() }
            _ = try await stream.next()
            let id = try #require(try await service.store.apiKeys().first { $0.name == "reader" }?.id)
            _ = try await service.store.revokeAPIKey(id, at: noon)
            while !stream.hasEnded {
                service.clock.advance(by: ServiceLimits.streamSign)
                try await Self.send("m", by: service)
                _ = try await stream.next()
            }
        }
    }
}

/// A reader of a stream of server-sent events.
struct EventStreamReader {
    private let connection: RawConnection
    private var buffer = ""
    private(set) var hasEnded = false

    fileprivate init(_ connection: RawConnection) async {
        self.connection = connection
        buffer = await connection.read(until: "\r\n\r\n")
        buffer = buffer.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n")
    }

    func close() { connection.close() }

    /// The fields of the next event; none at the end of the stream.
    mutating func next() async throws -> [String: String] {
        while true {
            while let end = buffer.range(of: "\n\n") {
                let fields = Self.fields(buffer[..<end.lowerBound])
                buffer = String(buffer[end.upperBound...])
                if !fields.isEmpty { return fields }
            }
            let more = await connection.read(until: "\n\n")
            guard !more.isEmpty else {
                hasEnded = true
                return [:]
            }
            buffer += more
        }
    }

    /// Leaves out the lengths of the body's chunks, which are no fields.
    private static func fields(_ text: Substring) -> [String: String] {
        text.split(whereSeparator: \.isNewline).reduce(into: [:]) { fields, line in
            let parts = line.split(separator: ": ", maxSplits: 1)
            if parts.count == 2 { fields[String(parts[0])] = String(parts[1]) }
        }
    }
}

extension RunningService {
    fileprivate func stream(after id: String? = nil, key: String? = nil) async throws -> EventStreamReader {
        let connection = try connection()
        var head = "GET /v1/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
        head += "Connection: close\r\nAuthorization: Bearer \(key ?? self.key)\r\n"
        if let id { head += "Last-Event-ID: \(id)\r\n" }
        await connection.send(head + "\r\n")
        return await EventStreamReader(connection)
    }
}
