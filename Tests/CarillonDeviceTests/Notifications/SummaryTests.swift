import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

@MainActor @Suite("The scheduled summary") struct SummaryTests {
    private func news(_ text: String, relevance: Double, level: String = "active") -> JSONValue {
        [
            "aps": [
                "alert": .string(text), "sound": "default", "relevance-score": .double(relevance),
                "interruption-level": .string(level),
            ]
        ]
    }

    @Test("29: the summary comes at its hour without a sound, ranked by relevance-score, the newest first among equals")
    func ranked() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            try app.phone.settings.change(of: app.bundleID) { $0.scheduledSummary = true }
            await app.phone.lock()
            for (id, relevance) in [("low", 0.1), ("high", 0.9), ("older", 0.5), ("newer", 0.5)] {
                try await app.advance(by: .seconds(1))
                try await app.push(news(id, relevance: relevance), collapseID: id)
            }
            #expect(app.notifications.count == 4)
            #expect(app.phone.lockScreenNotifications(of: app.bundleID).isEmpty)
            #expect(app.phone.sounds.isEmpty)
            #expect(app.phone.upcomingSummary.map(\.request.identifier) == ["high", "newer", "older", "low"])
            #expect(app.phone.summary.isEmpty)
            try await app.advance(by: .seconds(12 * 3600))
            #expect(app.phone.summary.map(\.request.identifier) == ["high", "newer", "older", "low"])
            #expect(app.phone.upcomingSummary.isEmpty)
            #expect(app.phone.lockScreenNotifications(of: app.bundleID).count == 4)
            #expect(app.phone.sounds.isEmpty)
        }
    }

    @Test("29: what is time-sensitive or critical does not wait for it, and neither does an app in front")
    func urgent() async throws {
        let sensitive = try await RuleScenario.shown(
            news("x", relevance: 0, level: "time-sensitive"), PhoneRules(), entitlements: [.timeSensitive], inSummary)
        #expect(sensitive?.banner == true && sensitive?.waitsForSummary == false)
        let critical = try await RuleScenario.shown(
            news("x", relevance: 0, level: "critical"), PhoneRules(), entitlements: [.criticalAlerts], inSummary)
        #expect(critical?.banner == true && critical?.waitsForSummary == false)
        try await AppUnderTest.run(asking: { AskingApp($0) { $0.presentation = [.banner, .list] } }) { app, _ in
            try await app.openAndAllow()
            inSummary(app.phone)
            let entry = try await app.push(news("x", relevance: 0))
            #expect(entry.presentation?.banner == true)
        }
    }

    @Test("29: time-sensitive without the entitlement, or switched off by the person, waits like any other")
    func notEntitled() async throws {
        let push = news("x", relevance: 0, level: "time-sensitive")
        let bare = try await RuleScenario.shown(push, PhoneRules(), inSummary)
        #expect(bare?.banner == false && bare?.waitsForSummary == true)
        #expect(bare?.why.last == "time-sensitive without the entitlement: treated like any other")
        let off = try await RuleScenario.shown(push, PhoneRules(), entitlements: [.timeSensitive]) { phone in
            inSummary(phone)
            try? phone.settings.set(.timeSensitive, to: false, for: TestPhone.bundleID)
        }
        #expect(off?.banner == false && off?.waitsForSummary == true)
    }

    @Test("29: what was taken back before its hour is in no summary")
    func recalled() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            inSummary(app.phone)
            try await app.push(news("x", relevance: 0), collapseID: "x")
            try await app.phone.dismiss("x", in: app.bundleID)
            #expect(app.phone.upcomingSummary.isEmpty)
            try await app.advance(by: .seconds(24 * 3600))
            #expect(app.phone.summary.isEmpty)
        }
    }

    @Test("4: the app reads in its settings that it is in the summary")
    func setting() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.openAndAllow()
            inSummary(app.phone)
            var center: UNUserNotificationCenter?
            await app.phone.run(in: app.bundleID) { center = UNUserNotificationCenter.current() }
            let setting = try await #require(center).notificationSettings().scheduledDeliverySetting
            #expect(setting == .enabled)
        }
    }

    private func inSummary(_ phone: Phone) {
        for id in phone.installedApps {
            do {
                try phone.settings.change(of: id) { $0.scheduledSummary = true }
            } catch {
                Issue.record(error)
            }
        }
    }
}
