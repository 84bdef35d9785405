import CarillonCore
import Foundation
import NIOCore
import NIOHPACK
import NIOHTTP2
import Synchronization
import TestSupport
import Testing

@testable import CarillonAPNs

@Suite("A batch", .timeLimit(.minutes(5)))
struct BatchTests {
    let authority: TestAuthority
    let identity: TestAuthority.Issued

    init() throws {
        authority = try TestAuthority()
        identity = try authority.server(addresses: ["127.0.0.1"])
    }

    /// Notifications 1…count, which counts how far it has been read.
    struct Source: AsyncSequence, Sendable {
        let count: Int
        let read: Counter
        var failsAtEnd = false
        /// To whom; to devices of no server, when there is none.
        var tokens: [Data] = []

        struct Broken: Error {}

        func makeAsyncIterator() -> Iterator { Iterator(source: self) }

        struct Iterator: AsyncIteratorProtocol {
            let source: Source
            var last = 0

            mutating func next() async throws -> APNsNotification? {
                guard last < source.count else {
                    if source.failsAtEnd { throw Broken() }
                    return nil
                }
                last += 1
                source.read.add()
                guard source.tokens.isEmpty else { return try TestValues.notification(number: last, to: source.tokens) }
                return try TestValues.notification(number: last)
            }
        }
    }

    final class Counter: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock { $0 } }
        func add() { value.withLock { $0 += 1 } }
    }

    @Test("every notification has one outcome, a rejection among them")
    func all() async throws {
        let server = try await FrameServer.start(identity) { event, connection in
            guard case .request(let stream, let headers, _) = event else { return }
            if headers.first(name: "apns-id")?.hasSuffix("7") == true {
                connection.refuse(stream, status: 400, body: #"{"reason":"BadDeviceToken"}"#)
            } else {
                connection.accept(stream)
            }
        }
        let client = try authority.client(port: server.port)
        var outcomes: [UUID: APNsOutcome] = [:]
        for try await delivery in client.send(contentsOf: Source(count: 320, read: Counter()), window: 50) {
            outcomes[delivery.notification.apnsID] = try delivery.result.get()
        }
        #expect(outcomes.count == 320)
        #expect(outcomes.values.count { if case .rejected = $0 { true } else { false } } == 20)
        await client.shutdown()
        try await server.stop()
    }

    @Test("no more is read than the window holds while outcomes are not taken")
    func bounded() async throws {
        let server = try await FrameServer.start(identity) { event, connection in
            if case .request(let stream, _, _) = event { connection.accept(stream) }
        }
        let client = try authority.client(port: server.port)
        let read = Counter()
        var taken = 0
        var mostAhead = 0
        for try await delivery in client.send(contentsOf: Source(count: 200, read: read), window: 10) {
            _ = try delivery.result.get()
            taken += 1
            mostAhead = max(mostAhead, read.count - taken)
        }
        #expect(taken == 200)
        #expect(mostAhead <= 10)
        await client.shutdown()
        try await server.stop()
    }

    @Test("an error of the source comes after the outcomes of what was read before it")
    func failingSource() async throws {
        let server = try await FrameServer.start(identity) { event, connection in
            if case .request(let stream, _, _) = event { connection.accept(stream) }
        }
        let client = try authority.client(port: server.port)
        var taken = 0
        do {
            let source = Source(count: 30, read: Counter(), failsAtEnd: true)
            for try await _ in client.send(contentsOf: source, window: 7) { taken += 1 }
            Issue.record("the error was swallowed")
        } catch is Source.Broken {
            #expect(taken == 30)
        }
        await client.shutdown()
        try await server.stop()
    }

    @Test("a loop on an actor leaves it to wait, and not for each outcome")
    func onAnActor() async throws {
        let asked = Mutex<[HTTP2StreamID]>([])
        let reader = Reader()
        let server = try await FrameServer.start(identity) { event, connection in
            switch event {
            case .request(let stream, _, _):
                let all = asked.withLock { streams in
                    streams.append(stream)
                    return streams.count == 90 ? streams : []
                }
                guard !all.isEmpty else { return }
                // The answers are all there before the actor can be visited again.
                reader.visits.hold()
                for stream in all { connection.accept(stream) }
                connection.ping()
            case .pong: reader.visits.letGo()
            default: break
            }
        }
        let client = try authority.client(port: server.port)
        let source = Source(count: 90, read: Counter())
        #expect(try await reader.accepted(of: client.send(contentsOf: source, window: 90)) == 90)
        #expect(reader.visits.count < 10)
        await client.shutdown()
        try await server.stop()
    }

    /// Reads a batch on a thread of its own, as `main` does, and counts how often it is taken up again.
    actor Reader {
        final class Visits: SerialExecutor {
            private let queue = DispatchQueue(label: "reader")
            private let counter = Counter()
            var count: Int { counter.count }

            func hold() { queue.suspend() }
            func letGo() { queue.resume() }

            func enqueue(_ job: consuming ExecutorJob) {
                counter.add()
                let job = UnownedJob(job)
                queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
            }
        }

        let visits = Visits()
        nonisolated var unownedExecutor: UnownedSerialExecutor { visits.asUnownedSerialExecutor() }

        func accepted(of batch: APNsBatch<Source>) async throws -> Int {
            var count = 0
            for try await delivery in batch {
                if case .success(.accepted) = delivery.result { count += 1 }
            }
            return count
        }
    }

    @Test("dropping the batch stops reading and cancels what is under way")
    func dropped() async throws {
        let (resets, more) = AsyncStream.makeStream(of: Void.self)
        let server = try await FrameServer.start(identity) { event, connection in
            switch event {
            case .request(let stream, let headers, _):
                if headers.first(name: "apns-id")?.hasSuffix("0001") == true { connection.accept(stream) }
            case .reset: more.yield()
            default: break
            }
        }
        let client = try authority.client(port: server.port)
        let read = Counter()
        for try await _ in client.send(contentsOf: Source(count: 1000, read: read), window: 5) { break }
        var count = 0
        for await _ in resets {
            count += 1
            if count == 4 { break }
        }
        #expect(read.count <= 6)
        await client.shutdown()
        try await server.stop()
    }

    @Test("a notification that cannot be sent has its error as outcome and does not end the batch")
    func invalid() async throws {
        let server = try await FrameServer.start(identity) { event, connection in
            if case .request(let stream, _, _) = event { connection.accept(stream) }
        }
        let client = try authority.client(port: server.port)
        var wrong = try TestValues.notification(number: 2)
        wrong.topic = ""
        let source = AsyncStream { [wrong] continuation in
            continuation.yield(wrong)
            if let right = try? TestValues.notification(number: 1) { continuation.yield(right) }
            continuation.finish()
        }
        var codes: [APNsError.Code?] = []
        for try await delivery in client.send(contentsOf: source) {
            if case .failure(let error) = delivery.result { codes.append(error.code) } else { codes.append(nil) }
        }
        #expect(codes == [.invalidNotification, nil])
        await client.shutdown()
        try await server.stop()
    }
}
