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
        try await TestPhone.run { test in
            try await test.suspendedAllowed()
            try test.phone.changeSettings(of: TestPhone.bundleID) { $0.scheduledSummary = true }
            await test.phone.lock()
            for (id, relevance) in [("low", 0.1), ("high", 0.9), ("older", 0.5), ("newer", 0.5)] {
                test.clock.advance(by: .seconds(1))
                try await test.push(news(id, relevance: relevance), collapseID: id)
            }
            #expect(test.shown.count == 4)
            #expect(test.phone.lockScreenNotifications(of: TestPhone.bundleID).isEmpty)
            #expect(test.phone.sounds.isEmpty)
            #expect(test.phone.upcomingSummary.map(\.request.identifier) == ["high", "newer", "older", "low"])
            #expect(test.phone.summary.isEmpty)
            test.clock.advance(by: .seconds(12 * 3600))
            try await test.phone.settled()
            #expect(test.phone.summary.map(\.request.identifier) == ["high", "newer", "older", "low"])
            #expect(test.phone.upcomingSummary.isEmpty)
            #expect(test.phone.lockScreenNotifications(of: TestPhone.bundleID).count == 4)
            #expect(test.phone.sounds.isEmpty)
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
        try await TestPhone.run { test in
            try await test.openAllowed { AskingApp($0) { $0.presentation = [.banner, .list] } }
            inSummary(test.phone)
            let entry = try await test.push(news("x", relevance: 0))
            #expect(entry.presentation?.banner == true)
        }
    }

    @Test("29: what was taken back before its hour is in no summary")
    func recalled() async throws {
        try await TestPhone.run { test in
            try await test.suspendedAllowed()
            inSummary(test.phone)
            try await test.push(news("x", relevance: 0), collapseID: "x")
            try await test.phone.dismiss("x", in: TestPhone.bundleID)
            #expect(test.phone.upcomingSummary.isEmpty)
            test.clock.advance(by: .seconds(24 * 3600))
            try await test.phone.settled()
            #expect(test.phone.summary.isEmpty)
        }
    }

    @Test("4: the app reads in its settings that it is in the summary")
    func setting() async throws {
        try await TestPhone.run { test in
            try await test.openAllowed()
            inSummary(test.phone)
            var center: UNUserNotificationCenter?
            await test.phone.run(in: TestPhone.bundleID) { center = UNUserNotificationCenter.current() }
            let setting = try await #require(center).notificationSettings().scheduledDeliverySetting
            #expect(setting == .enabled)
        }
    }

    private func inSummary(_ phone: Phone) {
        do {
            try phone.changeSettings(of: TestPhone.bundleID) { $0.scheduledSummary = true }
        } catch {
            Issue.record(error)
        }
    }
}
