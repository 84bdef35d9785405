import ActivityKit
import CarillonCore
import CarillonDevice
import CarillonSimulator
import Foundation
import TestSupport
import Testing
import UIKit

@testable import CarillonPhones
@testable import CarillonServer

/// Matches on real phones, which senders start and update until they are killed, again and again.
@MainActor struct KilledActivities {
    private let system: SendingSystem
    private let kills: Int
    private let hasSurvivor: Bool
    /// The files of the phones.
    private let folder: TemporaryFolder
    private let phones: [PhoneWithMatches]
    private let matches = ["match-0", "match-1", "match-2"]

    /// - Parameters:
    ///   - system: the database, the simulated APNs and the senders.
    ///   - kills: the number of senders that are killed.
    ///   - hasSurvivor: whether another sender works beside them.
    init(_ system: SendingSystem, kills: Int, hasSurvivor: Bool = false) throws {
        self.system = system
        self.kills = kills
        self.hasSurvivor = hasSurvivor
        let folder = try TemporaryFolder()
        self.folder = folder
        phones = (0..<3).map { PhoneWithMatches("matches-\($0)", system, folder) }
    }

    func play() async throws {
        for phone in phones { try await phone.register() }
        let followers = phones.map { phone in Task { try await phone.follow() } }
        let result: Result<Void, any Error>
        do {
            result = .success(try await kill())
        } catch {
            result = .failure(error)
        }
        for follower in followers { follower.cancel() }
        for phone in phones { await phone.shutDown() }
        try result.get()
        for phone in phones {
            for match in matches {
                let shown = phone.shown[match] ?? []
                #expect(shown.last == kills + 1, "\(phone.id) shows \(shown) of \(match)")
                #expect(shown == shown.sorted(), "\(phone.id) has shown \(shown) of \(match)")
            }
        }
    }

    private func kill() async throws {
        let survivor = hasSurvivor ? try system.startSender() : nil
        for round in 1...kills {
            let before = Self.pushCount(system)
            if round <= matches.count { try await start(matches[round - 1], goals: round) }
            for match in matches.prefix(round) { try await update(match, goals: round) }
            let sender = try system.startSender()
            // In the middle, and each time elsewhere.
            try await Self.untilPushed(system, before + round % 4 + 1)
            await sender.kill()
        }
        let last = try system.startSender()
        await last.untilSending()
        for match in matches { try await update(match, goals: kills + 1) }
        for phone in phones { try await phone.until(matches, show: kills + 1) }
        for match in matches { try await untilCurrent(match) }
        for sender in [survivor, last].compactMap(\.self) { #expect(await sender.interrupt() == 0) }
    }

    private nonisolated static func untilPushed(_ system: SendingSystem, _ count: Int) async throws {
        try await system.until { pushCount(system) >= count }
    }

    private nonisolated static func pushCount(_ system: SendingSystem) -> Int {
        system.apns.requests().filter { $0.header("apns-push-type") == PushType.liveactivity.rawValue }.count
    }

    private func start(_ match: String, goals: Int) async throws {
        _ = try await system.store.activities.start(
            NewActivity(
                id: try MessageID(match), app: system.app, type: "MatchOfPhones",
                attributes: JSONObject(["match": .string(match)]), alert: JSONObject(["title": "It begins"]),
                content: Self.content(goals), audience: .users([PhoneWithMatches.user]),
                fingerprint: Data(match.utf8), idempotencyKey: nil),
            at: system.clock.now)
    }

    private func update(_ match: String, goals: Int) async throws {
        _ = try await system.store.activities.change(
            LiveActivityChange(
                id: try MessageID(match), app: system.app, content: Self.content(goals), isEnd: false,
                fingerprint: Data("\(match) \(goals)".utf8), idempotencyKey: nil), by: AuditActor("test"),
            at: system.clock.now)
    }

    private func untilCurrent(_ match: String) async throws {
        let id = try MessageID(match)
        while true {
            let report = try await system.store.activities.report(id, of: system.app, at: system.clock.now)
            if report?.phones == ["current": phones.count] { return }
            await Task.yield()
        }
    }

    private static func content(_ goals: Int) -> JSONObject {
        JSONObject(["content-state": ["goals": .int(Int64(goals))]])
    }
}

/// The attributes of the matches; the type's name is the `attributes-type` of their pushes.
private struct MatchOfPhones: ActivityAttributes {
    struct ContentState: Codable, Hashable {
        var goals: Int
    }

    var match: String
}

/// An app that reads all tokens, and ends the older of two Live Activities of a match, as the SDK does.
private final class MatchesApp: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        application.registerForRemoteNotifications()
        Task { for await _ in Activity<MatchOfPhones>.pushToStartTokenUpdates {} }
        Task {
            for await activity in Activity<MatchOfPhones>.activityUpdates {
                Task { for await _ in activity.pushTokenUpdates {} }
                for older in Activity<MatchOfPhones>.activities
                where older.id != activity.id && older.attributes.match == activity.attributes.match {
                    await older.end(nil, dismissalPolicy: .immediate)
                }
            }
        }
        return true
    }
}

/// A phone that registers its tokens in the database, and remembers what its lock screen has shown.
@MainActor private final class PhoneWithMatches {
    static let user = "fan"

    let id: String
    /// The numbers of goals that the newest card of each match has shown, in order.
    private(set) var shown: [String: [Int]] = [:]
    private let phone: Phone
    private let system: SendingSystem
    private var registered: [LiveActivityToken] = []

    init(_ id: String, _ system: SendingSystem, _ folder: TemporaryFolder) {
        self.id = id
        self.system = system
        var configuration = PhoneConfiguration(
            id: id, name: id, clock: system.clock, storage: folder.url, seed: UInt64(id.utf8.last ?? 1))
        configuration.rules.activitiesPerApp = 20
        phone = Phone(configuration: configuration, link: SimulatorPushLink(system.apns))
        var bundle = AppBundle(
            bundleID: SendingSystem.topic, name: "Matches", environment: .sandbox, makeDelegate: { MatchesApp() })
        bundle.supportsLiveActivities = true
        bundle.liveActivities = [LiveActivityLayout(for: MatchOfPhones.self)]
        phone.install(bundle)
    }

    func register() async throws {
        await phone.boot()
        try await phone.openApp(SendingSystem.topic)
        try await phone.until("it has both tokens") {
            $0.deviceToken(of: SendingSystem.topic) != nil && $0.activities.startToken(of: SendingSystem.topic) != nil
        }
        registered = tokens
        let token = try #require(phone.deviceToken(of: SendingSystem.topic).flatMap { DeviceToken($0) })
        _ = try await system.store.devices.register(
            NewDevice(
                id: id, secretHash: Data(count: 32), app: system.app, environment: .sandbox, token: token,
                user: Self.user, facts: DeviceFacts(permission: .authorized), liveActivities: registered, nonce: "n"),
            at: system.clock.now)
    }

    /// Registers each new token, and notes what is on the screen, until it is cancelled.
    func follow() async throws {
        for await _ in phone.changes {
            note()
            let tokens = tokens
            guard tokens != registered else { continue }
            registered = tokens
            _ = try await system.store.devices.change(
                id, DeviceUpdate(facts: [:], liveActivities: tokens, nonce: "n"), at: system.clock.now)
        }
    }

    func until(_ matches: [String], show goals: Int) async throws {
        try await phone.until("\(matches) have \(goals) goals") { [self] _ in
            note()
            return matches.allSatisfy { shown[$0]?.last == goals }
        }
    }

    func shutDown() async { await phone.shutDown() }

    private var cards: [LiveActivity] {
        phone.activities.shown(of: SendingSystem.topic).sorted { $0.startedAt < $1.startedAt }
    }

    private var tokens: [LiveActivityToken] {
        let start = phone.activities.startToken(of: SendingSystem.topic).flatMap { DeviceToken($0) }
        var newest: [String: DeviceToken] = [:]
        for card in cards where card.state == .active {
            newest[Self.match(of: card)] = card.pushToken.flatMap { DeviceToken($0) }
        }
        return [start].compactMap(\.self).map { LiveActivityToken(type: "MatchOfPhones", token: $0) }
            + newest.sorted { $0.key < $1.key }.map {
                LiveActivityToken(type: "MatchOfPhones", id: $0.key, token: $0.value)
            }
    }

    private func note() {
        var goals: [String: Int] = [:]
        for card in cards { goals[Self.match(of: card)] = card.contentState["goals"]?.intValue }
        for (match, goals) in goals where shown[match]?.last != goals { shown[match, default: []].append(goals) }
    }

    private static func match(of card: LiveActivity) -> String { card.attributes["match"]?.stringValue ?? "" }
}
