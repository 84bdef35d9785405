import CarillonCore
import CarillonSimulator
import Foundation
import Logging
import TestSupport
import Testing

@testable import CarillonServer
@testable import CommandSupport
@testable import ServiceSupport

/// A broadcast by ranges, whose sender is killed again and again while it runs; then a census of what APNs got.
struct KilledBroadcast {
    private static let topic = "com.example.chime"
    private static let id = "broadcast"

    /// The number of devices that it is for.
    let devices: Int
    /// After how many pushes a sender is killed: each time in another window, or before or after one.
    let kills: [Int]
    /// Ordinals of a chunk.
    var chunkDevices = 256

    /// Plays it, and compares.
    func play() async throws {
        let folder = try TemporaryFolder()
        var configuration = SimulatorConfiguration(clock: SystemClock(), seed: 1, topics: [Self.topic])
        // A push has some entries: the request, and what became of it.
        configuration.journalLimit = 4 * (devices + kills.count * DeliveryLimits.pushesInFlight)
        let apns = try await APNsSimulator.start(
            configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let result: Result<Void, any Error>
        do {
            result = .success(try await play(apns, in: folder))
        } catch {
            result = .failure(error)
        }
        await apns.shutdown()
        try result.get()
    }

    private func play(_ apns: APNsSimulator, in folder: TemporaryFolder) async throws {
        let directory = try ServiceDirectory(path: folder.url.appending(path: "data").path)
        let files = SimulatorDirectory(path: folder.url.appending(path: "apns").path)
        try files.write(apns, seed: 1)
        let clock = SystemClock()
        let store = Store(
            try SQLiteEngine(path: directory.databasePath), ranges: RangeRules(devices: 1, chunkDevices: chunkDevices))
        let app = try await store.apps.put(AppSettings(topic: Self.topic), by: AuditActor("test"), at: clock.now)
            .reference
        try await importDevices(of: apns, app, into: store, at: clock.now)
        let message = NewMessage(
            id: try MessageID(Self.id), app: app, mode: .visible, until: nil,
            payload: try Payload(aps: Aps(alert: .text("To all"))).encoded(), badgeIsUnreadCount: false,
            countsAsUnread: false, audience: .everyone, fingerprint: Data(Self.id.utf8), idempotencyKey: nil)
        _ = try await store.messages.accept(message, at: clock.now)
        let arguments = [
            "serve", "--role", "sender", "--data", directory.url.path, "--topic", Self.topic, "--apns-url",
            "https://localhost:\(apns.port)", "--apns-ca", files.caPath, "--key", files.keyPath(keyID: apns.keyID),
            "--team-id", apns.teamID,
        ]
        for count in kills {
            let sender = try RunningProgram(arguments)
            for await _ in apns.eventStream() where taken(apns) >= count { break }
            await sender.kill()
        }
        let last = try RunningProgram(arguments)
        let reference = MessageReference(try MessageID(Self.id), of: app.number)
        var counts = NotificationReport.Counts()
        while counts.accepted < devices {
            counts = try #require(try await store.messages.report(reference, at: clock.now)).counts
            await Task.yield()
        }
        #expect(await last.interrupt() == 0)
        compare(apns, counts)
        let today = FigureDay(clock.now)
        let figures = try await store.figures.report(
            of: app.number, message: nil, campaign: nil, on: FigureDay(number: today.number - 1)...today)
        #expect(figures?.total.accepted == devices, "each device counts once, whoever was killed")
    }

    private func importDevices(
        of apns: APNsSimulator, _ app: AppReference, into store: Store, at now: Timestamp
    ) async throws {
        let devices = try (0..<devices).map { number in
            let token = apns.devices.issueToken(
                device: "phone-\(number)", topic: Self.topic, environment: apns.environment)
            return ImportedDevice(
                app: app, environment: .sandbox, token: try #require(DeviceToken(token)),
                facts: DeviceFacts(permission: .authorized), id: "phone-\(number)")
        }
        for start in stride(from: 0, to: devices.count, by: 500) {
            let part = Array(devices[start..<min(start + 500, devices.count)])
            #expect(try await store.devices.importDevices(part, at: now).allSatisfy { $0 == .added })
        }
    }

    private func taken(_ apns: APNsSimulator) -> Int { apns.requests().count }

    /// Every device got it, under one identity; what may have come twice is what the service says, and says so itself.
    private func compare(_ apns: APNsSimulator, _ counts: NotificationReport.Counts) {
        let census = Dictionary(grouping: apns.requests()) { $0.deviceToken }
        #expect(census.count == devices, "a device was missed")
        #expect(counts.devices == devices && counts.accepted == devices)
        #expect(census.values.allSatisfy { pushes in Set(pushes.map(\.apnsID)).count == 1 })
        let twice = census.values.filter { $0.count > 1 }
        let again = census.values.filter { pushes in pushes.contains { attempt($0) > 1 } }
        #expect(again.count == counts.secondSends, "the report says \(counts.secondSends)")
        #expect(counts.secondSends <= kills.count * DeliveryLimits.pushesInFlight)
        // A push that comes again is another attempt; the first may have been lost with its sender.
        #expect(twice.allSatisfy { pushes in Set(pushes.map(attempt)).count == pushes.count })
        #expect(twice.count <= again.count)
    }

    private func attempt(_ request: RequestRecord) -> Int {
        (try? JSONValue(parsing: request.payload))?["carillon"]?["attempt"]?.intValue ?? 1
    }
}
