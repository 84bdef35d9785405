import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("Connections of clients that do not go on", .timeLimit(.minutes(5)))
struct ConnectionTests {
    private static let get = "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n"

    private static func post(_ key: String, length: Int, _ headers: String = "") -> String {
        "POST /v1/notifications HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(key)\r\n"
            + "Content-Length: \(length)\r\n\(headers)\r\n"
    }

    /// Times that are over soon, so that a test that waits for one need not wait long.
    private func times(_ change: (inout ConnectionTimes) -> Void) -> ConnectionTimes {
        var times = ConnectionTimes()
        change(&times)
        return times
    }

    @Test("one that does not finish its first head is closed")
    func head() async throws {
        try await RunningService.run(times: times { $0.head = .milliseconds(50) }) { service in
            let connection = try service.connection()
            defer { connection.close() }
            await connection.send("GET /metrics HTTP/1.1\r\nHo")
            #expect(await connection.read() == "")
        }
    }

    @Test("one that is idle after an answer is closed")
    func idle() async throws {
        try await RunningService.run(times: times { $0.idle = .milliseconds(50) }) { service in
            let connection = try service.connection()
            defer { connection.close() }
            await connection.send(Self.get + Self.get)
            let answers = await connection.read()
            #expect(answers.components(separatedBy: "HTTP/1.1 200 ").count == 3, "\(answers)")
        }
    }

    @Test("a body that does not come is answered with 408, and the connection ends")
    func body() async throws {
        try await RunningService.run(times: times { $0.body = .milliseconds(50) }) { service in
            let connection = try service.connection()
            defer { connection.close() }
            await connection.send(Self.post(service.key, length: 100) + "{")
            let answer = await connection.read()
            #expect(answer.hasPrefix("HTTP/1.1 408 ") && answer.contains("request-timeout"), "\(answer)")
            #expect(answer.lowercased().contains("\r\nconnection: close\r\n"), "\(answer)")
        }
    }

    @Test("connections beyond an address' limit are closed at once, and are taken again when others have ended")
    func perAddress() async throws {
        try await RunningService.run(connections: ConnectionLimits(all: 100, perAddress: 2)) { service in
            let (one, two) = (try service.connection(), try service.connection())
            for connection in [one, two] {
                await connection.send(Self.get)
                #expect(await connection.read(until: "carillon_connections_refused_total 0").contains(" 200 "))
            }
            let three = try service.connection()
            await three.send(Self.get)
            #expect(await three.read() == "")
            three.close()
            await one.send(Self.get)
            let metrics = await one.read(until: "carillon_connections_refused_total 1")
            #expect(metrics.contains("carillon_connections 2"), "\(metrics)")
            two.close()
            one.close()
            var isTaken = false
            while !isTaken {
                let again = try service.connection()
                await again.send(Self.get)
                isTaken = await again.read(until: "\r\n\r\n").contains(" 200 ")
                again.close()
            }
        }
    }

    @Test("connections beyond the limit in all are closed at once")
    func all() async throws {
        try await RunningService.run(connections: ConnectionLimits(all: 1, perAddress: 100)) { service in
            let one = try service.connection()
            defer { one.close() }
            await one.send(Self.get)
            #expect(await one.read(until: "\r\n\r\n").contains(" 200 "))
            let two = try service.connection()
            defer { two.close() }
            await two.send(Self.get)
            #expect(await two.read() == "")
        }
    }

    private static func fromPhone(_ phone: TestPhone, _ length: Int, _ headers: String = "") -> String {
        "POST /v1/receipts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(phone.credentials)\r\n"
            + "Content-Length: \(length)\r\n\(headers)\r\n"
    }

    private static let message: JSONValue = ["to": ["user": "u1"], "payload": ["aps": ["alert": "x"]]]

    @Test("while the bodies of some calls fill the memory for bodies, others are told to come again, and then served")
    func bodies() async throws {
        // The holder's body may take as long as a busy machine needs.
        try await RunningService.run(times: times { $0.body = .seconds(3600) }, bodies: 60_000) { service in
            let held = SharedValue<RawConnection?>(nil)
            let isOver = SharedValue(false)
            // A call whose body is in memory when the holder's last bytes come refuses the holder, which then tries again.
            async let holding: Void = {
                while !isOver.withLock({ $0 }) {
                    let holder = try service.connection()
                    held.withLock { $0 = holder }
                    await holder.send(
                        Self.post(service.key, length: 60_000) + String(repeating: " ", count: 59_950))
                    _ = await holder.read(until: "\r\n\r\n")
                    held.withLock { $0 = nil }
                    holder.close()
                }
            }()
            // The service counts what it has read, which may be less at first.
            var answer = try await service.call("POST", "/v1/notifications", body: Self.message)
            while answer.status == 202 {
                answer = try await service.call("POST", "/v1/notifications", body: Self.message)
            }
            #expect(answer.status == 503 && answer.headers["retry-after"] == "1")
            #expect(answer.json["type"]?.stringValue?.hasSuffix("too-many-bodies") == true)
            #expect(try await service.call("GET", "/healthz", auth: "").status == 200, "a call without a body")
            isOver.withLock { $0 = true }
            while answer.status == 503 {
                held.withLock { $0?.endSending() }
                answer = try await service.call("POST", "/v1/notifications", body: Self.message)
            }
            #expect(answer.status == 202)
            held.withLock { $0?.endSending() }
            try await holding
        }
    }

    @Test("a body that is announced and does not come takes no memory from others")
    func announcedBodies() async throws {
        try await RunningService.run(times: times { $0.body = .seconds(3600) }, bodies: 60_000) { service in
            var holders: [RawConnection] = []
            for _ in 0..<4 {
                let holder = try service.connection()
                holders.append(holder)
                await holder.send(
                    "POST /v1/devices HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 15000\r\n\r\n")
                #expect(await holder.read(until: "\r\n\r\n").contains(" 100 "))
            }
            let answer = try await service.call("POST", "/v1/notifications", body: Self.message)
            #expect(answer.status == 202, "\(answer.json)")
            for holder in holders { holder.close() }
        }
    }

    @Test("phones of one address fill no more than its share of the memory, and backends are served meanwhile")
    func addressShare() async throws {
        try await RunningService.run(times: times { $0.body = .seconds(3600) }, bodies: 1 << 20) { service in
            let phones = [TestPhone("a", on: service), TestPhone("b", on: service)]
            for phone in phones { try await phone.register() }
            let (one, two) = (try service.connection(), try service.connection())
            let piece = String(repeating: " ", count: 200_000)
            await one.send(Self.fromPhone(phones[0], 250_000) + piece)
            await two.send(Self.fromPhone(phones[1], 250_000) + piece)
            // Whichever comes second is refused.
            let refused = await withTaskGroup(of: String.self) { group in
                for connection in [one, two] { group.addTask { await connection.read(until: "\r\n\r\n") } }
                let first = await group.next() ?? ""
                for connection in [one, two] { connection.endSending() }
                await group.waitForAll()
                return first
            }
            #expect(refused.hasPrefix("HTTP/1.1 503 ") && refused.contains("too-many-bodies"), "\(refused)")
            let answer = try await service.call("POST", "/v1/notifications", body: Self.message)
            #expect(answer.status == 202, "\(answer.json)")
            for connection in [one, two] { connection.close() }
        }
    }

    @Test("a call about an installation has a few KiB of body, and is refused before more is read")
    func installationBody() async throws {
        try await RunningService.run { service in
            let connection = try service.connection()
            defer { connection.close() }
            await connection.send("POST /v1/devices HTTP/1.1\r\nHost: a\r\nContent-Length: 20000\r\n\r\n{")
            connection.endSending()
            let answer = await connection.read()
            #expect(answer.hasPrefix("HTTP/1.1 413 "), "\(answer)")
            let phone = TestPhone("a", on: service)
            try await phone.register()
            let tags = JSONValue.array([JSONValue](repeating: 1, count: 10_000))
            let changed = try await service.call(
                "PATCH", "/v1/devices/a", body: ["tags": tags], auth: phone.credentials)
            #expect(changed.status == 413, "\(changed.json)")
        }
    }

    @Test("a service ends although a client holds half a request")
    func shutdown() async throws {
        let held = SharedValue<RawConnection?>(nil)
        let began = ContinuousClock.now
        try await RunningService.run(isReal: true) { service in
            let connection = try service.connection()
            held.withLock { $0 = connection }
            await connection.send(Self.get)
            #expect(await connection.read(until: "\r\n\r\n").contains(" 200 "))
            await connection.send(Self.post(service.key, length: 100) + "{")
        }
        held.withLock { $0?.close() }
        #expect(ContinuousClock.now - began < .seconds(60))
    }
}
