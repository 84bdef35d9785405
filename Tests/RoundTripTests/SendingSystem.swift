import CarillonCore
import CarillonSimulator
import Foundation
import Logging
import TestSupport
import Testing

@testable import CarillonServer
@testable import CommandSupport
@testable import ServiceSupport

/// A database with devices, a simulator of APNs, and what a sender is started with.
struct SendingSystem: Sendable {
    static let topic = "com.example.chime"
    static let devices = 5

    let apns: APNsSimulator
    let store: Store
    let app: AppReference
    let arguments: [String]
    let clock = SystemClock()

    /// - Parameters:
    ///   - address: of a PostgreSQL; without one the database is in a folder.
    ///   - options: what senders are started with beside that.
    ///   - streams: the number of requests that APNs takes at a time on a connection. The default is 1000.
    static func run(
        at address: String? = nil, options: [String] = [], streams: Int = 1000,
        _ body: (SendingSystem) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        var configuration = SimulatorConfiguration(clock: SystemClock(), seed: 1, topics: [topic])
        configuration.concurrentStreams = streams
        let apns = try await APNsSimulator.start(
            configuration,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(try await SendingSystem(apns, in: folder, address, options)))
        } catch {
            result = .failure(error)
        }
        await apns.shutdown()
        try result.get()
    }

    private init(_ apns: APNsSimulator, in folder: TemporaryFolder, _ address: String?, _ options: [String])
        async throws
    {
        let files = SimulatorDirectory(path: folder.url.appending(path: "apns").path)
        try files.write(apns, seed: 1)
        self.apns = apns
        let database: [String]
        if let address {
            store = Store(try await PostgreSQLEngine.opened(url: address) { _ in true })
            // Nothing but the beat tells that a sender is gone.
            database = ["--database", address, "--lease", "10"]
        } else {
            let directory = try ServiceDirectory(path: folder.url.appending(path: "data").path)
            store = try directory.openStore()
            database = ["--data", directory.url.path]
        }
        app = try await store.apps.put(AppSettings(topic: Self.topic), by: AuditActor("test"), at: clock.now).reference
        arguments =
            [
                "serve", "--role", "sender", "--topic", Self.topic, "--apns-url", "https://localhost:\(apns.port)",
                "--apns-ca", files.caPath, "--key", files.keyPath(keyID: apns.keyID), "--team-id", apns.teamID,
            ] + database + options
        for number in 0..<Self.devices {
            let name = "phone-\(number)"
            let token = apns.devices.issueToken(device: name, topic: Self.topic, environment: apns.environment)
            apns.devices.connect(device: name) { _ in }
            _ = try await store.devices.register(
                NewDevice(
                    id: name, secretHash: Data(count: 32), app: app, environment: .sandbox,
                    token: try #require(DeviceToken(token)), user: "u-1",
                    facts: DeviceFacts(permission: .authorized),
                    nonce: "n"), at: clock.now)
        }
    }

    /// - Parameter log: the file to which it says what an operator should know. The default is none.
    func startSender(log: URL? = nil) throws -> RunningProgram { try RunningProgram(arguments, log: log) }

    func accept(_ ids: [String]) async throws {
        for id in ids { try await accept(id) }
    }

    private func accept(_ id: String) async throws {
        let message = NewMessage(
            id: try MessageID(id), app: app, mode: .visible, until: nil,
            payload: try Payload(aps: Aps(alert: .text(id))).encoded(), badgeIsUnreadCount: false,
            countsAsUnread: false, audience: .users(["u-1"]), fingerprint: Data(id.utf8), idempotencyKey: nil)
        _ = try await store.messages.accept(message, at: clock.now)
    }

    /// Asks for each message until it is acknowledged, as a backend does, and for the next when those before are under way.
    func acceptInTurn(_ ids: [String]) async throws {
        for (number, id) in ids.enumerated() {
            let known = Set(ids)
            try await until { taken(known).count >= (number - 3) * Self.devices }
            while true {
                do {
                    try await accept(id)
                    break
                } catch let error as ServiceError where [.busy, .unknownOutcome, .full].contains(error.code) {
                    await Task.yield()
                }
            }
        }
    }

    /// Counts the pushes of these messages that APNs accepted, by `apns-id`.
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

    /// Waits until every push of these messages is written down as accepted.
    func untilDone(_ ids: [String]) async throws {
        while try await !isDone(ids) { await Task.yield() }
    }

    /// Each push of these messages was taken, and no more often than its timeline tells.
    func expectCounted(_ ids: [String]) async throws {
        let (attempts, taken) = (try await attempts(ids), taken(Set(ids)))
        #expect(taken.count == ids.count * Self.devices, "a push has not arrived, or under two names")
        for (push, times) in taken {
            #expect(times <= attempts[push] ?? 0, "sent \(times) times, and told as attempt \(attempts[push] ?? 0)")
        }
    }

    /// The highest attempt at each push that the timelines tell of.
    func attempts(_ ids: [String]) async throws -> [String: Int] {
        var attempts: [String: Int] = [:]
        for id in ids {
            let reference = MessageReference(try MessageID(id), of: app.number)
            let timeline = try await store.messages.timeline(reference, after: nil, limit: 100, at: clock.now)
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
            let report = try await store.messages.report(reference, at: clock.now)
            if report?.counts.accepted != Self.devices { return false }
        }
        return true
    }
}
