import Articles
import CarillonAPNs
import CarillonCore
import CarillonDevice
import CarillonSimulator
import Foundation
import Logging
import Testing

@testable import CarillonPhones

/// A match, from a sender through APNs to the lock screen.
@MainActor @Suite("Live Activities through APNs", .serialized) struct LiveActivityTests {
    private let topic = ArticleApp.match.bundleID

    @MainActor private struct Match {
        let app: AppUnderTest
        let apns: APNsSimulator
        let client: APNsClient
        let topic: String

        var activity: LiveActivity? { app.liveActivities.first }
        var minute: Int? { activity?.contentState["minute"]?.intValue }

        func aps(_ event: String, minute: Int64, channel: String? = nil) throws -> APNsPayload {
            let state: JSONValue = ["homeScore": 1, "awayScore": 0, "minute": .int(minute)]
            var aps: [String: JSONValue] = [
                "event": .string(event), "timestamp": .int(app.clock.now.secondsSince1970),
                "content-state": state,
            ]
            if let channel { aps["input-push-channel"] = .string(channel) }
            if event == "start" {
                aps["attributes-type"] = "MatchAttributes"
                aps["attributes"] = ["home": "Ferrum", "away": "Aurum"]
                aps["alert"] = ["title": "Ferrum – Aurum", "body": "It begins."]
            }
            return APNsPayload(try JSONValue.object(["aps": .object(aps)]).encoded())
        }

        func send(_ payload: APNsPayload, to token: Data?) async throws -> APNsOutcome {
            let token = try #require(token.flatMap { DeviceToken($0) })
            return try await client.send(
                APNsNotification(
                    deviceToken: token, topic: APNsNotification.topic(bundleID: topic, pushType: .liveactivity),
                    pushType: .liveactivity, payload: payload, apnsID: UUID()))
        }
    }

    private func run(_ body: @MainActor (Match) async throws -> Void) async throws {
        let logger = Logger(label: "match") { _ in SwiftLogNoOpLogHandler() }
        let apns = try await APNsSimulator.start(
            SimulatorConfiguration(clock: SystemClock(), seed: 1, topics: [topic]), logger: logger)
        let client = try LocalStack.client(of: apns, seed: 1, clock: SystemClock(), logger: logger)
        var bundle = AppBundle(
            bundleID: topic, name: "Match", environment: .sandbox,
            makeDelegate: { ArticleApp.match.makeDelegate(feed: URL(filePath: "/")) })
        bundle.supportsLiveActivities = true
        bundle.liveActivities = [.match]
        let result: Result<Void, any Error>
        do {
            try await AppUnderTest.run(bundle, link: SimulatorPushLink(apns)) { app in
                try await app.openAndAllow()
                try await body(Match(app: app, apns: apns, client: client, topic: topic))
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await client.shutdown()
        await apns.shutdown()
        try result.get()
    }

    @Test("a start, an update and an end arrive, and from then on APNs answers 410 with the time of the end")
    func wholeLife() async throws {
        try await run { match in
            let phone = match.app.phone
            let start = phone.activities.startToken(of: topic)
            #expect(start != nil && start != phone.deviceToken(of: topic))
            guard case .accepted = try await match.send(match.aps("start", minute: 0), to: start) else {
                Issue.record("the start is refused")
                return
            }
            try await phone.until("the card has its token") { $0.activities.shown(of: topic).first?.pushToken != nil }
            let token = match.activity?.pushToken
            _ = try await match.send(match.aps("update", minute: 37), to: token)
            try await phone.until("the goal is there") { _ in match.minute == 37 }
            #expect(match.activity?.card?.title == "Ferrum 1 : 0 Aurum")
            _ = try await match.send(match.aps("end", minute: 90), to: token)
            try await phone.until("it has ended") { _ in match.activity?.state == .ended }
            try await phone.settled()
            guard case .rejected(let rejection) = try await match.send(match.aps("update", minute: 91), to: token)
            else {
                Issue.record("an ended Live Activity has no token")
                return
            }
            #expect(rejection.status == 410 && rejection.reason == .unregistered && rejection.timestamp != nil)
            #expect(match.minute == 90)
        }
    }

    @Test("of what comes while the phone is offline, the newest of each Live Activity is kept")
    func offline() async throws {
        try await run { match in
            let phone = match.app.phone
            let start = phone.activities.startToken(of: topic)
            for count in 1...2 {
                _ = try await match.send(match.aps("start", minute: 0), to: start)
                try await phone.until("card \(count) has its token") {
                    $0.activities.shown(of: topic).filter { $0.pushToken != nil }.count == count
                }
            }
            let tokens = match.app.liveActivities.map(\.pushToken)
            await phone.goOffline()
            for minute in [10, 20, 30] as [Int64] {
                for token in tokens { _ = try await match.send(match.aps("update", minute: minute), to: token) }
            }
            await phone.goOnline()
            try await phone.until("both are new") {
                $0.activities.shown(of: topic).allSatisfy { $0.contentState["minute"]?.intValue == 30 }
            }
            let pushes = phone.pushLog.filter { $0.notes.contains { $0.hasPrefix("updated") } }
            #expect(pushes.count == 2)
        }
    }

    @Test("a broadcast reaches the Live Activity that follows its channel")
    func broadcast() async throws {
        try await run { match in
            let outcome = try await match.client.createChannel(
                bundleID: topic, storagePolicy: .noMessageStored, requestID: UUID())
            guard case .done(let channel) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            _ = try await match.send(
                match.aps("start", minute: 0, channel: channel), to: match.app.phone.activities.startToken(of: topic))
            try await match.app.phone.until("the card follows the channel") {
                $0.activities.shown(of: topic).first?.source == .channel(channel)
            }
            try await match.app.phone.settled()
            _ = try await match.client.send(
                APNsBroadcast(
                    channelID: channel, bundleID: topic, payload: try match.aps("update", minute: 5), requestID: UUID())
            )
            try await match.app.phone.until("the broadcast is there") { _ in match.minute == 5 }
        }
    }
}
