import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

/// The next date of a calendar trigger whose day a month lacks.
@MainActor @Suite("The end of a month") struct MonthEndTests {
    private func dates(keepsTime: Bool, day: Int, hour: Int?) async throws -> [String] {
        var rules = PhoneRules()
        rules.missingDayKeepsTime = keepsTime
        return try await AppUnderTest.run(rules: rules, asking: { AskingApp($0) }) { app, _ in
            try await app.openAndAllow()
            await app.phone.run(in: app.bundleID) {
                let content = UNMutableNotificationContent()
                content.body = "rent"
                let components = DateComponents(day: day, hour: hour)
                let trigger = UNCalendarNotificationTrigger(dateMatching: components, repeats: true)
                UNUserNotificationCenter.current().add(
                    UNNotificationRequest(identifier: "rent", content: content, trigger: trigger))
            }
            try await app.suspend()
            var found: [String] = []
            for _ in 0..<(75 * 24) {
                try await app.advance(by: .seconds(3600))
                let shown = app.notifications.first.map { "\($0.date)" }
                if let shown, found.last != shown { found.append(shown) }
            }
            return found.map { String($0.prefix(16)) }
        }
    }

    @Test("the 31st at 10:00 falls on 1 March at 10:00, or at midnight if the rule is off", arguments: [true, false])
    func thirtyFirst(_ keepsTime: Bool) async throws {
        let march = keepsTime ? "2027-03-01 10:00" : "2027-03-01 00:00"
        #expect(try await dates(keepsTime: keepsTime, day: 31, hour: 10) == ["2027-01-31 10:00", march])
    }

    @Test("the probe for real iPhones says what this phone does", arguments: [true, false])
    func probe(_ isOn: Bool) async throws {
        var rules = PhoneRules()
        rules.missingDayKeepsTime = isOn
        rules.intervalDateCountsFromNow = isOn
        try await AppUnderTest.run(rules: rules, asking: { AskingApp($0) }) { app, _ in
            try await app.open()
            let probe = try await app.phone.value(in: app.bundleID) { IPhoneProbe() }
            try await app.advance(by: .seconds(2))
            let lines = try await app.phone.value(in: app.bundleID) { probe.report() }
            #expect(
                lines == [
                    "missingDayKeepsTime: \(isOn) (2027-03-01 \(isOn ? "10" : "00"):00:00 +0000)",
                    "intervalDateCountsFromNow: \(isOn)", "a trigger with the quarter 0 fires: false",
                ])
        }
    }

    @Test("23: nextTriggerDate says the date at which it fires")
    func nextTriggerDate() async throws {
        try await AppUnderTest.run(
            AppBundle(bundleID: "app.chime", name: "Chime", makeDelegate: { AskingApp(CallLog()) }),
            start: Timestamp(secondsSince1970: 1_801_472_400)
        ) { app in
            try await app.open()
            let next = try await app.phone.value(in: app.bundleID) {
                UNCalendarNotificationTrigger(dateMatching: DateComponents(day: 31, hour: 10), repeats: true)
                    .nextTriggerDate()
            }
            #expect(next.map { "\($0)".prefix(16) } == "2027-03-01 10:00")
        }
    }
}
