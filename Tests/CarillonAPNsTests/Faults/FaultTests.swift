import CarillonCore
import Foundation
import NIOCore
import NIOHPACK
import NIOHTTP2
import Synchronization
import TestSupport
import Testing

@testable import CarillonAPNs

@Suite("Faults of a server, over TLS and HTTP/2", .timeLimit(.minutes(5)))
struct FaultTests {
    let authority: TestAuthority
    let identity: TestAuthority.Issued

    init() throws {
        authority = try TestAuthority()
        identity = try authority.server(addresses: ["127.0.0.1"])
    }

    private func sendAll(_ client: APNsClient, _ numbers: ClosedRange<Int>) async throws -> Int {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in numbers {
                group.addTask {
                    let outcome = try await client.send(try TestValues.notification(number: number))
                    return outcome == .accepted(apnsID: TestValues.uuid(number), uniqueID: nil)
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
    }

    @Test("1: a server that says GOAWAY after every thirtieth request loses nothing of three hundred sends")
    func goAway() async throws {
        struct Count {
            var answered = 0
            var last: HTTP2StreamID?
        }
        let counts = Mutex<[ObjectIdentifier: Count]>([:])
        let doubles = Mutex<[String: Int]>([:])
        let server = try await FrameServer.start(
            identity, settings: [HTTP2Setting(parameter: .maxConcurrentStreams, value: 20)]
        ) { event, connection in
            guard case .request(let stream, let headers, _) = event else { return }
            let count = counts.withLock { counts in
                var count = counts[ObjectIdentifier(connection)] ?? Count()
                if let last = count.last, stream > last { return Count?.none }
                count.answered += 1
                if count.answered == 30 { count.last = stream }
                counts[ObjectIdentifier(connection)] = count
                return count
            }
            guard let count else { return }
            doubles.withLock { $0[headers.first(name: "apns-id") ?? "", default: 0] += 1 }
            connection.accept(stream)
            if count.answered == 30 { connection.goAway(last: Int(stream)) }
        }
        let client = try authority.client(port: server.port)
        #expect(try await sendAll(client, 1...300) == 300)
        #expect(doubles.withLock { $0.values.allSatisfy { $0 == 1 } }, "nothing was processed twice")
        #expect(server.connections.withLock(\.count) >= 10)
        await client.shutdown()
        try await server.stop()
    }

    @Test("3: GOAWAY before SETTINGS does not hang the client")
    func goAwayFirst() async throws {
        let attempts = Mutex(0)
        let server = try await FrameServer.start(identity) { event, connection in
            guard case .request(let stream, _, _) = event else { return }
            let attempt = attempts.withLock { attempts in
                attempts += 1
                return attempts
            }
            if attempt <= 2 { connection.goAway(last: 0) } else { connection.accept(stream) }
        }
        let raw = try await RawServer.start(identity, first: RawServer.goAwayFrame)
        let hopeless = try authority.client(port: raw.port, deadline: .seconds(4))
        let error = await #expect(throws: APNsError.self) { try await hopeless.send(try TestValues.notification()) }
        #expect(error?.code == .notSent)
        #expect((2...10).contains(raw.connectionCount), "growing pauses: \(raw.connectionCount)")
        await hopeless.shutdown()
        try await raw.stop()
        let client = try authority.client(port: server.port)
        #expect(try await sendAll(client, 1...1) == 1)
        await client.shutdown()
        try await server.stop()
    }

    @Test("4: MAX_CONCURRENT_STREAMS that falls to 1 and rises again in mid-flight fails nothing")
    func concurrencyChanges() async throws {
        let count = Mutex(0)
        let server = try await FrameServer.start(
            identity, settings: [HTTP2Setting(parameter: .maxConcurrentStreams, value: 50)]
        ) { event, connection in
            guard case .request(let stream, _, _) = event else { return }
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 20 { connection.settings([HTTP2Setting(parameter: .maxConcurrentStreams, value: 1)]) }
            if number == 80 { connection.settings([HTTP2Setting(parameter: .maxConcurrentStreams, value: 80)]) }
            connection.accept(stream)
        }
        let client = try authority.client(port: server.port)
        #expect(try await sendAll(client, 1...200) == 200)
        await client.shutdown()
        try await server.stop()
    }

    @Test("5: 429 TooManyProviderTokenUpdates on the first connection: the second one delivers")
    func tooManyTokens() async throws {
        let first = Mutex<ObjectIdentifier?>(nil)
        let server = try await FrameServer.start(identity) { event, connection in
            guard case .request(let stream, _, _) = event else { return }
            let isFirst = first.withLock { first in
                if first == nil { first = ObjectIdentifier(connection) }
                return first == ObjectIdentifier(connection)
            }
            if isFirst {
                connection.refuse(stream, status: 429, body: #"{"reason":"TooManyProviderTokenUpdates"}"#)
            } else {
                connection.accept(stream)
            }
        }
        let client = try authority.client(port: server.port)
        #expect(try await sendAll(client, 1...20) == 20)
        await client.shutdown()
        try await server.stop()
    }

    @Test("6: an unanswered push ends at the deadline of the client's clock, and the next takes another connection")
    func noAnswer() async throws {
        let (requests, more) = AsyncStream.makeStream(of: Void.self)
        let server = try await FrameServer.start(identity) { event, connection in
            guard case .request(let stream, let headers, _) = event else { return }
            if headers.first(name: "apns-id")?.hasSuffix("1") == true {
                more.yield()
            } else {
                connection.accept(stream)
            }
        }
        let clock = ManualClock(start: TestValues.start)
        let client = try authority.client(port: server.port, clock: clock)
        async let answer = client.send(try TestValues.notification(number: 1), deadline: .seconds(5))
        for await _ in requests { break }
        clock.advance(by: .seconds(5))
        do {
            _ = try await answer
            Issue.record("an answer out of nothing")
        } catch let error as APNsError {
            #expect(error.code == .unknown)
        }
        // The first connection was of no use: the next attempt waits a moment.
        clock.advance(by: .seconds(2))
        let next = try await client.send(try TestValues.notification(number: 2))
        #expect(next == .accepted(apnsID: TestValues.uuid(2), uniqueID: nil))
        #expect(server.connections.withLock(\.count) == 2)
        await client.shutdown()
        try await server.stop()
    }

    @Test("7: all sends of a client carry one and the same token, on all its connections")
    func oneToken() async throws {
        let tokens = Mutex<Set<String>>([])
        let server = try await FrameServer.start(
            identity, settings: [HTTP2Setting(parameter: .maxConcurrentStreams, value: 20)]
        ) { event, connection in
            guard case .request(let stream, let headers, _) = event else { return }
            tokens.withLock { _ = $0.insert(headers.first(name: "authorization") ?? "") }
            connection.accept(stream)
        }
        let client = try authority.client(port: server.port)
        #expect(try await sendAll(client, 1...100) == 100)
        #expect(tokens.withLock(\.count) == 1)
        await client.shutdown()
        try await server.stop()
    }

    @Test("a server that resets every stream after its answer is borne, more often than NIO's default allows")
    func resetsAfterAnswers() async throws {
        let server = try await FrameServer.start(identity) { event, connection in
            guard case .request(let stream, _, _) = event else { return }
            connection.accept(stream)
            connection.sendRaw(reset: stream)
        }
        var limits = APNsLimits()
        limits.connections = 1
        let client = try authority.client(port: server.port, limits: limits)
        #expect(try await sendAll(client, 1...400) == 400)
        #expect(server.connections.withLock(\.count) == 1)
        await client.shutdown()
        try await server.stop()
    }

    @Test("cancelling a task cancels its stream, and the error says that it may have arrived")
    func cancellation() async throws {
        let (events, more) = AsyncStream.makeStream(of: String.self)
        let server = try await FrameServer.start(identity) { event, _ in
            switch event {
            case .request: more.yield("request")
            case .reset: more.yield("reset")
            default: break
            }
        }
        let client = try authority.client(port: server.port)
        let task = Task { try await client.send(try TestValues.notification()) }
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next() == "request")
        task.cancel()
        let error = await #expect(throws: APNsError.self) { try await task.value }
        #expect(error?.code == .cancelled && error?.mayHaveArrived == true)
        #expect(await iterator.next() == "reset")
        await client.shutdown()
        try await server.stop()
    }

    @Test("a task that is cancelled already sends nothing")
    func cancelledBefore() async throws {
        let client = try authority.client(port: 1)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.send(try TestValues.notification())
        }
        let error = await #expect(throws: APNsError.self) { try await task.value }
        #expect(error?.code == .cancelled && error?.mayHaveArrived == false)
        await client.shutdown()
    }

    @Test("a shutdown waits for the answers that are under way")
    func shutdownWaits() async throws {
        let waiting = Mutex<(FrameServer.Connection, HTTP2StreamID)?>(nil)
        let (requests, more) = AsyncStream.makeStream(of: Void.self)
        let server = try await FrameServer.start(identity) { event, connection in
            guard case .request(let stream, _, _) = event else { return }
            waiting.withLock { if $0 == nil { $0 = (connection, stream) } }
            more.yield()
        }
        let client = try authority.client(port: server.port)
        let sending = Task { try await client.send(try TestValues.notification()) }
        for await _ in requests { break }
        let ending = Task { await client.shutdown() }
        let late = await #expect(throws: APNsError.self) {
            while true { _ = try await client.send(try TestValues.notification(number: 2), deadline: .milliseconds(1)) }
        }
        #expect(late != nil)
        if let (connection, stream) = waiting.withLock({ $0 }) { connection.accept(stream) }
        #expect(try await sending.value == .accepted(apnsID: TestValues.uuid(1), uniqueID: nil))
        await ending.value
        try await server.stop()
    }

    @Test("two shutdowns at once both return, and so does one after them", .timeLimit(.minutes(5)))
    func shutdownTwice() async throws {
        for _ in 0..<50 {
            let client = try authority.client(port: 1)
            async let first: Void = client.shutdown()
            async let second: Void = client.shutdown()
            _ = await (first, second)
            await client.shutdown()
        }
    }

    @Test("clients that share event loops end one by one, and their loops last")
    func sharedLoops() async throws {
        let server = try await FrameServer.start(identity) { event, connection in
            guard case .request(let stream, _, _) = event else { return }
            connection.accept(stream)
        }
        let loops = APNsEventLoops()
        let clients = try (0..<20).map { _ in try authority.client(port: server.port, loops: loops) }
        #expect(Set(clients.map { ObjectIdentifier($0.loop.eventLoop) }).count <= ClientLimits.sharedLoops)
        for client in clients {
            #expect(try await sendAll(client, 1...1) == 1)
            await client.shutdown()
        }
        async let first: Void = loops.shutdown()
        async let second: Void = loops.shutdown()
        _ = await (first, second)
        try await server.stop()
    }

    @Test("the time of a push runs from the call, also while the client's thread stands still")
    func lateLoop() async throws {
        let clock = FrozenClock()
        let client = try authority.client(port: 1, clock: clock)
        let (stands, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        client.loop.eventLoop.execute {
            stands.signal()
            goesOn.wait()
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                stands.wait()
                continuation.resume()
            }
        }
        let before = clock.readings
        let sent = Task { try await client.send(try TestValues.notification(), deadline: .seconds(15)) }
        // The call has read the clock, and nobody else can.
        while clock.readings == before { await Task.yield() }
        clock.pass(.seconds(16))
        goesOn.signal()
        let error = await #expect(throws: APNsError.self) { try await sent.value }
        #expect(error?.message.contains("deadline had passed") == true, "\(error?.message ?? "")")
        await client.shutdown()
    }

    @Test("what was decided before the process stood still, and not yet written, is not sent after its time")
    func overdueWrite() async throws {
        let requests = Mutex(0)
        let server = try await FrameServer.start(identity) { event, connection in
            guard case .request(let stream, _, _) = event else { return }
            requests.withLock { $0 += 1 }
            connection.accept(stream)
        }
        let clock = FrozenClock()
        let client = try authority.client(port: server.port, clock: clock)
        _ = try await client.send(try TestValues.notification(), deadline: .seconds(15))
        try await client.loop.eventLoop.submit {}.get()
        // The call reads the clock, then the loop reads it once for all that it writes together.
        clock.pass(.seconds(16), afterReadings: 2)
        let error = await #expect(throws: APNsError.self) {
            try await client.send(try TestValues.notification(), deadline: .seconds(15))
        }
        #expect(error?.message.contains("stood still") == true, "\(error?.message ?? "")")
        await client.shutdown()
        try await server.stop()
        #expect(requests.withLock { $0 } == 1)
    }

    @Test("what waits for the server's window when its time is over is taken back when the window opens")
    func overdueBody() async throws {
        let (events, more) = AsyncStream.makeStream(of: String.self)
        let server = try await FrameServer.start(
            identity, settings: [HTTP2Setting(parameter: .initialWindowSize, value: 0)]
        ) { event, _ in
            switch event {
            case .request: more.yield("request")
            case .reset: more.yield("reset")
            default: break
            }
        }
        let clock = FrozenClock()
        let client = try authority.client(port: server.port, clock: clock)
        let sent = Task { try await client.send(try TestValues.notification(), deadline: .seconds(15)) }
        while client.statistics.inFlight == 0 { await Task.yield() }
        clock.pass(.seconds(16))
        for connection in server.connections.withLock({ $0 }) {
            connection.settings([HTTP2Setting(parameter: .initialWindowSize, value: 65_535)])
        }
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next() == "reset", "nothing of the body came")
        let error = await #expect(throws: APNsError.self) { try await sent.value }
        #expect(error?.mayHaveArrived == true)
        await client.shutdown()
        try await server.stop()
    }

    @Test(
        "Retry-After of 429 and of what begins with 5 is told, as seconds or as a date, at most 15 minutes",
        arguments: [
            (503, "120", 120), (429, "7", 7), (503, "999999999999", 900), (500, "7", 7), (400, "120", nil),
            (503, "soon", nil),
            (503, "Tue, 15 Nov 1994 08:14:31 GMT", 120),
        ] as [(Int, String, Int?)])
    func retryAfter(status: Int, value: String, seconds: Int?) async throws {
        let server = try await FrameServer.start(identity) { event, connection in
            guard case .request(let stream, _, _) = event else { return }
            connection.refuse(
                stream, status: status, body: #"{"reason":"ServiceUnavailable"}"#,
                headers: [("date", "Tue, 15 Nov 1994 08:12:31 GMT"), ("retry-after", value)])
        }
        let client = try authority.client(port: server.port)
        guard case .rejected(let rejection) = try await client.send(try TestValues.notification()) else {
            Issue.record("not rejected")
            return
        }
        #expect(rejection.retryAfter == seconds.map { .seconds($0) })
        await client.shutdown()
        try await server.stop()
    }

    @Test("a server that does not speak HTTP/2 is named as such")
    func notHTTP2() async throws {
        let server = try await FrameServer.start(identity, protocols: ["http/1.1"]) { _, _ in }
        let client = try authority.client(port: server.port, deadline: .seconds(2))
        let error = await #expect(throws: APNsError.self) { try await client.send(try TestValues.notification()) }
        #expect(error?.code == .notSent && error?.message.contains("HTTP/2") == true, "\(error?.message ?? "")")
        await client.shutdown()
        try await server.stop()
    }

    @Test("a key replaced while two hundred sends are under way loses none of them")
    func keyReplaced() async throws {
        let keys = Mutex<Set<String>>([])
        let server = try await FrameServer.start(
            identity, settings: [HTTP2Setting(parameter: .maxConcurrentStreams, value: 20)]
        ) { event, connection in
            guard case .request(let stream, let headers, _) = event else { return }
            keys.withLock { _ = $0.insert(headers.first(name: "authorization") ?? "") }
            connection.accept(stream)
        }
        let client = try authority.client(port: server.port)
        async let first = sendAll(client, 1...100)
        try client.replaceCredential(.signingKey(try TestValues.signingKey(keyID: "ZZZZZ12345")))
        async let second = sendAll(client, 101...200)
        #expect(try await first + second == 200)
        #expect((1...2).contains(keys.withLock(\.count)))
        await client.shutdown()
        try await server.stop()
    }
}
