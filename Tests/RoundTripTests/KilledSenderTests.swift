import CarillonCore
import CarillonSimulator
import Foundation
import Logging
import TestSupport
import Testing

@testable import CarillonServer
@testable import carillon

/// Senders as processes of their own on one database, which are killed while they send; APNs tells what it got.
@Suite("Senders that are killed", .serialized)
struct KilledSenderTests {
    private static let topic = "com.example.chime"
    private static let devices = 5

    /// A database with devices, a simulator of APNs, and what a sender is started with.
    private struct System {
        let apns: APNsSimulator
        let store: any Store
        let app: AppReference
        let arguments: [String]
        let clock = SystemClock()

        /// - Parameter address: of a PostgreSQL; without one the database is in a folder.
        static func run(at address: String? = nil, _ body: (System) async throws -> Void) async throws {
            let folder = try TemporaryFolder()
            let apns = try await APNsSimulator.start(
                SimulatorConfiguration(clock: SystemClock(), seed: 1, topics: [topic]),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            let result: Result<Void, any Error>
            do {
                result = .success(try await body(try await System(apns, in: folder, address)))
            } catch {
                result = .failure(error)
            }
            await apns.shutdown()
            try result.get()
        }

        private init(_ apns: APNsSimulator, in folder: TemporaryFolder, _ address: String?) async throws {
            let files = SimulatorDirectory(path: folder.url.appending(path: "apns").path)
            try files.write(apns, seed: 1)
            self.apns = apns
            let database: [String]
            if let address {
                store = try await PostgreSQLStore.opened(url: address) { _ in true }
                // Nothing but the beat tells that a sender is gone.
                database = ["--database", address, "--lease", "10"]
            } else {
                let directory = try ServiceDirectory(path: folder.url.appending(path: "data").path)
                store = try directory.openStore()
                database = ["--data", directory.url.path]
            }
            app = try await store.put(AppSettings(topic: topic), at: clock.now).reference
            arguments =
                [
                    "serve", "--role", "sender", "--topic", topic, "--apns-url", "https://localhost:\(apns.port)",
                    "--apns-ca", files.caPath, "--key", files.keyPath(keyID: apns.keyID), "--team-id", apns.teamID,
                ] + database
            for number in 0..<devices {
                let name = "phone-\(number)"
                let token = apns.devices.issueToken(device: name, topic: topic, environment: apns.environment)
                apns.devices.connect(device: name) { _ in }
                _ = try await store.register(
                    NewDevice(
                        id: name, secretHash: Data(count: 32), app: app, environment: .sandbox,
                        token: try #require(DeviceToken(token)), user: "u-1",
                        facts: DeviceFacts(permission: .authorized),
                        former: nil, nonce: "n"), at: clock.now)
            }
        }

        func startSender() throws -> RunningProgram { try RunningProgram(arguments) }

        func accept(_ ids: [String]) async throws {
            for id in ids {
                let message = NewMessage(
                    id: try MessageID(id), app: app, mode: .visible, until: nil,
                    payload: try Payload(aps: Aps(alert: .text(id))).encoded(), badgeIsUnreadCount: false,
                    countsAsUnread: false, audience: .users(["u-1"]), fingerprint: Data(id.utf8), idempotencyKey: nil)
                _ = try await store.accept(message, at: clock.now)
            }
        }

        /// What APNs took of these messages, by `apns-id`.
        func taken(_ ids: Set<String>) -> [String: Int] {
            apns.requests().filter { ids.contains($0.header("apns-collapse-id") ?? "") }
                .reduce(into: [:]) { $0[$1.apnsID, default: 0] += 1 }
        }

        /// Reads what APNs gets until that is so.
        func until(_ isEnough: () async throws -> Bool) async throws {
            let events = apns.eventStream()
            // It may have got everything before anybody listened.
            guard try await !isEnough() else { return }
            for await _ in events where try await isEnough() { return }
        }

        /// The highest attempt at each push that the timelines tell of.
        func attempts(_ ids: [String]) async throws -> [String: Int] {
            var attempts: [String: Int] = [:]
            for id in ids {
                let reference = MessageReference(try MessageID(id), of: app.number)
                let timeline = try await store.timeline(reference, after: nil, limit: 100, at: clock.now)
                for event in timeline?.devices.flatMap(\.events) ?? [] {
                    guard let push = event.apnsID, let attempt = event.attempt else { continue }
                    attempts[push] = max(attempts[push] ?? 0, attempt)
                }
            }
            return attempts
        }

        /// Whether every push of these messages is written down as accepted.
        func isDone(_ ids: [String]) async throws -> Bool {
            for id in ids {
                let reference = MessageReference(try MessageID(id), of: app.number)
                let report = try await store.report(reference, at: clock.now)
                if report?.counts.accepted != devices { return false }
            }
            return true
        }
    }

    @Test("two on one database send each push once, or tell that it went again")
    func two() async throws {
        try await System.run { system in
            let ids = (0..<20).map { "m-\($0)" }
            let senders = [try system.startSender(), try system.startSender()]
            for sender in senders { for await line in sender.lines where line == ReadyLine.sender { break } }
            try await system.accept(ids)
            try await system.until { system.taken(Set(ids)).count == ids.count * Self.devices }
            for sender in senders { #expect(await sender.interrupt() == 0) }
            // What has no answer yet when its sender is told to end is left to the next; on a busy machine there is some.
            let last = try system.startSender()
            for await line in last.lines where line == ReadyLine.sender { break }
            while try await !system.isDone(ids) { await Task.yield() }
            #expect(await last.interrupt() == 0)
            let attempts = try await system.attempts(ids)
            for (push, times) in system.taken(Set(ids)) {
                #expect(times == 1 || times <= attempts[push] ?? 0, "sent \(times) times without being counted")
            }
        }
    }

    @Test("a dozen times: nothing is lost, the next takes over at once, and nothing goes twice without being counted")
    func killed() async throws {
        try await System.run { system in
            var all: [String] = []
            for round in 0..<12 {
                let ids = (0..<8).map { "r-\(round)-\($0)" }
                all += ids
                try await system.accept(ids)
                let sender = try system.startSender()
                // In the middle, and each time elsewhere.
                let enough = 1 + round * 3
                try await system.until { system.taken(Set(ids)).values.reduce(0, +) >= enough }
                await sender.kill()
            }
            let last = try system.startSender()
            // Before, an interrupt ends it as it ends any program; and those that were killed may have left it nothing to do.
            for await line in last.lines where line == ReadyLine.sender { break }
            try await system.until { system.taken(Set(all)).count == all.count * Self.devices }
            while try await !system.isDone(all) { await Task.yield() }
            #expect(await last.interrupt() == 0)
            let attempts = try await system.attempts(all)
            for (push, times) in system.taken(Set(all)) {
                #expect(times <= attempts[push] ?? 0, "sent \(times) times, and told as attempt \(attempts[push] ?? 0)")
            }
        }
    }

    @Test(
        "on PostgreSQL: one of two is killed and the server crashes in the middle; nothing is lost, nor goes twice uncounted",
        .timeLimit(.minutes(5)))
    func postgreSQL() async throws {
        let server = PostgreSQLForTests(suffix: "crashing")
        let address = "postgres://carillon@/postgres?host=\(try await server.folder().path)"
        try await System.run(at: address) { system in
            let senders = [try system.startSender(), try system.startSender()]
            for sender in senders { for await line in sender.lines where line == ReadyLine.sender { break } }
            let first = (0..<20).map { "a-\($0)" }
            try await system.accept(first)
            try await system.until { system.taken(Set(first)).values.reduce(0, +) >= 10 }
            await senders[0].kill()
            try await server.crash()
            let second = (0..<5).map { "b-\($0)" }
            try await system.accept(second)
            let all = first + second
            try await system.until { system.taken(Set(all)).count == all.count * Self.devices }
            while try await !system.isDone(all) { await Task.yield() }
            #expect(await senders[1].interrupt() == 0)
            let attempts = try await system.attempts(all)
            for (push, times) in system.taken(Set(all)) {
                #expect(times <= attempts[push] ?? 0, "sent \(times) times, and told as attempt \(attempts[push] ?? 0)")
            }
        }
    }
}
