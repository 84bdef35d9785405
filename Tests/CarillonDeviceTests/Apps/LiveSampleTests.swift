import ActivityKit
import CarillonCore
import CarillonDevice
import Foundation
import LiveSamples
import Testing
import UIKit

/// Code that is written as Apple shows it, on a phone: it compiles unchanged, and does what Apple's pages say.
@MainActor @Suite("Live Activities as Apple's pages show them") struct LiveSampleTests {
    private func run(
        _ layout: LiveActivityLayout, _ delegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate,
        _ body: @MainActor (AppUnderTest) async throws -> Void
    ) async throws {
        var bundle = AppBundle(bundleID: "com.example.live", name: "Live", makeDelegate: delegate)
        bundle.supportsLiveActivities = true
        bundle.supportsFrequentLiveActivityUpdates = true
        bundle.liveActivities = [layout]
        try await AppUnderTest.run(bundle) { app in
            try await app.open()
            try await body(app)
        }
    }

    /// Runs the app's own code, and waits until all that follows has happened.
    private func act(_ app: AppUnderTest, _ body: @escaping @MainActor () async -> Void) async throws {
        await app.phone.run(in: app.bundleID) { Task { await body() } }
        try await app.phone.settled()
    }

    @Test("a game begins, is updated with an alert, becomes stale, and ends when its time is over")
    func game() async throws {
        try await run(LiveActivityLayout(for: QuestAttributes.self), { GameDelegate() }) { app in
            let quest = try #require(app.delegate(as: GameDelegate.self)?.quest)
            try await act(app) { quest.begin(hero: "Ada") }
            #expect(quest.problem == nil && quest.status?.state == .active && quest.status?.pushToken?.count == 64)
            try await act(app) { await quest.hit(alert: false) }
            #expect(quest.status?.content.health == 0.5 && app.phone.sounds.isEmpty)
            try await act(app) { await quest.hit(alert: true) }
            #expect(quest.status?.content.health == 0 && app.phone.sounds.map(\.name) == ["default"])
            #expect(app.liveActivities.first?.relevanceScore == 100)
            try await app.advance(by: .seconds(15))
            #expect(quest.status?.state == .stale)
            try await act(app) { await quest.finish(dismissTimeInterval: nil) }
            #expect(quest.status?.state == .ended && quest.status?.content.happened == "It is over")
            try await app.advance(by: .seconds(4 * 3600))
            #expect(quest.status?.state == .dismissed && app.liveActivities.isEmpty)
            try app.phone.activities.set(false, for: app.bundleID)
            try await act(app) { quest.begin(hero: "Grace") }
            #expect(quest.problem == "switched off")
        }
    }

    @Test("two orders are updated and cancelled together, and a range of dates is a part of their state")
    func delivery() async throws {
        try await run(LiveActivityLayout(for: DeliveryAttributes.self), { DeliveryDelegate() }) { app in
            let deliveries = try #require(app.delegate(as: DeliveryDelegate.self)?.deliveries)
            let now = app.clock.now.date
            try await act(app) { for number in ["1", "2"] { _ = try? deliveries.order(number, at: now) } }
            let ordered = try await app.phone.value(in: app.bundleID) { deliveries.list }
            #expect(ordered == ["1: Ada, active", "2: Ada, active"])
            #expect(app.liveActivities.allSatisfy { $0.pushToken == nil && $0.staleDate != nil })
            try await act(app) { await deliveries.change(driver: "Grace", minutes: 5, at: now) }
            #expect(try await app.phone.value(in: app.bundleID) { deliveries.list }.last == "2: Grace, active")
            #expect(app.liveActivities.allSatisfy { $0.staleDate == nil } && !app.phone.sounds.isEmpty)
            try await act(app) { deliveries.cancelAll() }
            #expect(app.liveActivities.isEmpty)
        }
    }

    @Test("a server that is told the tokens starts one by push, updates and ends it, and hears of the switches")
    func pushToStart() async throws {
        try await run(LiveActivityLayout(for: GateAttributes.self), { GateDelegate() }) { app in
            let server = try #require(app.delegate(as: GateDelegate.self)?.server)
            try await app.suspend()
            let first = await server.sent
            #expect(first.contains("allowed true, often true") && first.contains { $0.hasPrefix("start ") })
            @MainActor func push(_ event: String, gate: String, _ more: [String: JSONValue] = [:]) async throws {
                let state: JSONValue = ["gate": .string(gate), "boards": 800_000_000]
                let aps: [String: JSONValue] = [
                    "timestamp": .int(app.clock.now.secondsSince1970), "event": .string(event), "content-state": state,
                ]
                let trace = try await app.push(["aps": .object(aps.merging(more) { $1 })], type: .liveactivity)
                #expect(!trace.notes.contains { $0.hasPrefix("ignored") }, "\(trace.notes)")
            }
            try await push(
                "start", gate: "A1",
                [
                    "attributes-type": "GateAttributes", "attributes": ["flight": "CA 7"],
                    "alert": ["title": "CA 7", "body": "Gate A1"],
                ])
            let token = try #require(app.liveActivities.first?.pushToken)
            let hex = token.map { String(format: "%02x", $0) }.joined()
            #expect(await server.sent.contains("CA 7 \(hex)"))
            try await push("update", gate: "B2")
            #expect(app.liveActivities.first?.contentState["gate"] == "B2")
            try await push("end", gate: "B2", ["dismissal-date": 1])
            #expect(app.liveActivities.isEmpty)
            #expect(await server.sent.contains("CA 7 dismissed"))
            try await app.open()
            try app.phone.activities.setFrequentUpdates(false, for: app.bundleID)
            try await app.phone.settled()
            #expect(await server.sent.contains("often false"))
        }
    }
}
