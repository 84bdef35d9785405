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

    /// Returns the dates on which a monthly trigger fires in 2027, in GMT.
    private func dates(
        weekday: Int, ordinal: Int, hour: Int = 10, rules: PhoneRules = PhoneRules()
    ) async throws -> [String] {
        let zone = TimeZone(identifier: "GMT")
        return try await AppUnderTest.run(rules: rules, asking: { AskingApp($0) }) { app, _ in
            try await app.openAndAllow()
            await app.phone.run(in: app.bundleID) {
                let content = UNMutableNotificationContent()
                content.body = "meeting"
                let components = DateComponents(
                    timeZone: zone, hour: hour, weekday: weekday, weekdayOrdinal: ordinal)
                UNUserNotificationCenter.current().add(
                    UNNotificationRequest(
                        identifier: "meeting", content: content,
                        trigger: UNCalendarNotificationTrigger(dateMatching: components, repeats: true)))
            }
            await app.phone.pressHome()
            try await app.advance(by: .seconds(364 * 86_400))
            let comes = app.phone.traces.filter { $0.origin == .local }
            return comes.map { String("\($0.arrivedAt)".prefix(10)) }
        }
    }

    @Test("23: the third Tuesday of each month is a Tuesday, the third, twelve times a year")
    func thirdTuesday() async throws {
        #expect(
            try await dates(weekday: 3, ordinal: 3) == [
                "2027-01-19", "2027-02-16", "2027-03-16", "2027-04-20", "2027-05-18", "2027-06-15", "2027-07-20",
                "2027-08-17", "2027-09-21", "2027-10-19", "2027-11-16", "2027-12-21",
            ])
    }

    @Test("23: the fifth Tuesday stands for itself in months that have one, and for the next day in the others")
    func fifthTuesday() async throws {
        let found = try await dates(weekday: 3, ordinal: 5)
        #expect(Set(["2027-03-30", "2027-06-29", "2027-08-31", "2027-11-30"]).isSubset(of: found))
        for date in found { #expect(date.hasSuffix("-01") || Int(date.suffix(2)).map { $0 > 28 } == true, "\(date)") }
        #expect(found.count == Set(found).count && found.count <= 13)
    }

    @Test("23: if the rule is off, the third Tuesday is whatever Foundation's search finds")
    func looseOrdinal() async throws {
        var rules = PhoneRules()
        rules.weekdayOrdinalIsStrict = false
        #expect(try await dates(weekday: 3, ordinal: 3, rules: rules).count > 12)
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
                    "intervalDateCountsFromNow: \(isOn)",
                    "weekdayOrdinalIsStrict: this iPhone can tell on 2027-01-26 09:00:00 +0000 at the earliest",
                    "a trigger with the quarter 0 fires: false",
                ])
        }
    }

    @Test("in February the probe tells whether the third Tuesday is another day", arguments: [true, false])
    func ordinalProbe(_ isOn: Bool) async throws {
        var rules = PhoneRules()
        rules.weekdayOrdinalIsStrict = isOn
        try await AppUnderTest.run(
            AppBundle(bundleID: "app.chime", name: "Chime", makeDelegate: { AskingApp(CallLog()) }),
            // 17 February 2027.
            start: Timestamp(secondsSince1970: 1_802_854_800), rules: rules
        ) { app in
            try await app.open()
            let line = try await app.phone.value(in: app.bundleID) { IPhoneProbe().report()[2] }
            #expect(line == "weekdayOrdinalIsStrict: \(isOn)")
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
