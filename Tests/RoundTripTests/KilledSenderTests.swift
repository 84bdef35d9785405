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
        let store: SQLiteStore
        let app: AppReference
        let arguments: [String]
        let clock = SystemClock()

        static func run(_ body: (System) async throws -> Void) async throws {
            let folder = try TemporaryFolder()
            let apns = try await APNsSimulator.start(
                SimulatorConfiguration(clock: SystemClock(), seed: 1, topics: [topic]),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            let result: Result<Void, any Error>
            do {
                result = .success(try await body(try await System(apns, in: folder)))
            } catch {
                result = .failure(error)
            }
            await apns.shutdown()
            try result.get()
        }

        private init(_ apns: APNsSimulator, in folder: TemporaryFolder) async throws {
            let directory = try ServiceDirectory(path: folder.url.appending(path: "data").path)
            let files = SimulatorDirectory(path: folder.url.appending(path: "apns").path)
            try files.write(apns, seed: 1)
            self.apns = apns
            store = try directory.openStore()
            app = try await store.put(AppSettings(topic: topic), at: clock.now).reference
            arguments = [
                "serve", "--role", "sender", "--data", directory.url.path, "--topic", topic, "--apns-url",
                "https://localhost:\(apns.port)", "--apns-ca", files.caPath, "--key",
                files.keyPath(keyID: apns.keyID), "--team-id", apns.teamID,
            ]
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
            for await _ in apns.eventStream() where try await isEnough() { return }
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

    @Test("two on one database send each push once")
    func two() async throws {
        try await System.run { system in
            let ids = (0..<20).map { "m-\($0)" }
            try await system.accept(ids)
            let senders = [try system.startSender(), try system.startSender()]
            try await system.until { system.taken(Set(ids)).count == ids.count * Self.devices }
            for sender in senders { #expect(await sender.interrupt() == 0) }
            #expect(try await system.isDone(ids), "what was sent is written down before they end")
            #expect(system.taken(Set(ids)).values.allSatisfy { $0 == 1 })
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
            try await system.until { system.taken(Set(all)).count == all.count * Self.devices }
            while try await !system.isDone(all) { await Task.yield() }
            #expect(await last.interrupt() == 0)
            let attempts = try await system.attempts(all)
            for (push, times) in system.taken(Set(all)) {
                #expect(times <= attempts[push] ?? 0, "sent \(times) times, and told as attempt \(attempts[push] ?? 0)")
            }
        }
    }
}
