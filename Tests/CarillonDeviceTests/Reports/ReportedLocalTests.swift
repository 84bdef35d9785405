import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

/// Local notifications that developers reported, each with the address of the report.
@MainActor @Suite("Reported: local notifications") struct ReportedLocalTests {
    private let id = TestPhone.bundleID

    private func add(
        _ identifier: String, body: String = "Hello", badge: Int? = nil,
        _ trigger: @escaping @autoclosure @MainActor @Sendable () -> UNNotificationTrigger?, in app: AppUnderTest
    ) async throws {
        await app.phone.run(in: id) {
            let content = UNMutableNotificationContent()
            content.body = body
            content.badge = badge.map { NSNumber(value: $0) }
            UNUserNotificationCenter.current().add(
                UNNotificationRequest(identifier: identifier, content: content, trigger: trigger()))
        }
        try await app.phone.settled()
    }

    private static func calendar(_ components: DateComponents, repeats: Bool = false) -> UNNotificationTrigger {
        UNCalendarNotificationTrigger(dateMatching: components, repeats: repeats)
    }

    private func next(_ components: DateComponents, repeats: Bool = false, in app: AppUnderTest) async throws -> String?
    {
        let date = try await app.phone.value(in: id) {
            UNCalendarNotificationTrigger(dateMatching: components, repeats: repeats).nextTriggerDate()
        }
        return date.map { String("\($0)".prefix(16)) }
    }

    /// <https://github.com/lionheart/openradar-mirror/issues/4147>, <https://github.com/signalapp/Signal-iOS/issues/1831>,
    /// <https://github.com/element-hq/element-ios/issues/1594>
    @Test(
        "a UILocalNotification's text loses its printf specifiers",
        arguments: [
            ("10% of battery", "10of battery"), ("10%% of battery", "10% of battery"), ("20%ing", "20ng"),
            ("test%notifications%20secondattempt", "testotificationssecondattempt"),
            ("%123456789abcdef", "abcdef"), ("%abcde", "bcde"), ("100%", "100"), ("%%%%", "%%"),
        ])
    func oldText(_ text: String, _ shown: String) async throws {
        try await AppUnderTest.run { app, _ in
            try await app.openAndAllow()
            await app.phone.run(in: id) { (MinuteScheduler() as any OldScheduling).schedule(text, badge: 0) }
            try await app.suspend()
            try await app.advance(by: .seconds(60))
            #expect(app.shown.map(\.content.body) == [shown])
        }
    }

    /// <https://github.com/signalapp/Signal-iOS/issues/4195>,
    /// <https://github.com/session-foundation/session-ios/pull/525>
    @Test("the text of a UNNotificationRequest keeps its percent signs, although Apple's page says otherwise")
    func newText() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.openAndAllow()
            try await add("m1", body: "100%% sure, 20%ing", nil, in: app)
            #expect(app.shown.map(\.content.body) == ["100%% sure, 20%ing"])
        }
    }

    /// <https://github.com/lionheart/openradar-mirror/issues/17743>,
    /// <https://github.com/react-native-push-notification/ios/issues/174>
    @Test(
        "27: a local notification with the badge -1 hides the number and keeps the list, in both forms",
        arguments: [true, false], [true, false])
    func negativeBadge(_ isOldForm: Bool, _ hides: Bool) async throws {
        var rules = PhoneRules()
        rules.negativeBadgeHidesNumber = hides
        try await AppUnderTest.run(rules: rules) { app, _ in
            try await app.suspendAllowed()
            try await app.push(["aps": ["alert": "Hello", "badge": 4]], collapseID: "m1")
            try await app.open()
            if isOldForm {
                await app.phone.run(in: id) { (MinuteScheduler() as any OldScheduling).schedule("Again", badge: -1) }
            } else {
                try await add(
                    "m2", badge: -1, UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false), in: app)
            }
            try await app.suspend()
            try await app.advance(by: .seconds(60))
            #expect(app.badge == (hides ? 0 : 4) && app.notifications.count == 2)
        }
    }

    /// <https://github.com/lionheart/openradar-mirror/issues/20122>,
    /// <https://github.com/corona-warn-app/cwa-app-ios/pull/1373>
    @Test(
        "23: nextTriggerDate of a pending interval counts from now, or from its creation if the rule is off",
        arguments: [true, false])
    func intervalDate(_ countsFromNow: Bool) async throws {
        var rules = PhoneRules()
        rules.intervalDateCountsFromNow = countsFromNow
        try await AppUnderTest.run(rules: rules) { app, _ in
            try await app.openAndAllow()
            let added = app.clock.now.date
            try await add("m1", UNTimeIntervalNotificationTrigger(timeInterval: 600, repeats: false), in: app)
            try await app.advance(by: .seconds(100))
            let pending = try #require(app.phone.pendingRequests(of: id).first)
            let next = try await app.phone.value(in: id) {
                (pending.trigger as? UNTimeIntervalNotificationTrigger)?.nextTriggerDate()
            }
            #expect(next == added + (countsFromNow ? 700 : 600))
            try await app.suspend()
            try await app.advance(by: .seconds(495))
            #expect(app.shown.map(\.identifier) == ["m1"], "it fires after its interval in any case")
        }
    }

    /// <https://www.jakehao.com/scheduling-notification-monthly>,
    /// <https://stackoverflow.com/questions/41526377/swift-user-notifications-why-is-nexttriggerdate-nil>,
    /// <https://github.com/lionheart/openradar-mirror/issues/17676>
    @Test("components that no date has never fire: the quarter 0, and an hour before the day")
    func impossible() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.openAndAllow()
            var components = DateComponents(hour: 10)
            #expect(try await next(components, in: app) == "2027-01-01 10:00")
            components.quarter = 0
            let quarter = components
            #expect(try await next(quarter, in: app) == nil)
            #expect(try await next(DateComponents(day: 1, hour: -24), repeats: true, in: app) == nil)
            try await add("m1", Self.calendar(quarter), in: app)
            #expect(app.phone.pendingRequests(of: id).isEmpty && app.notifications.isEmpty)
        }
    }

    /// <https://github.com/MaikuB/flutter_local_notifications/pull/64>
    @Test("a daily reminder with the date of today never fires if its hour is over")
    func dailyWithDate() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.openAndAllow()
            let dated = DateComponents(year: 2027, month: 1, day: 1, hour: 8)
            #expect(try await next(dated, repeats: true, in: app) == nil)
            try await add("dated", Self.calendar(dated, repeats: true), in: app)
            try await add("daily", Self.calendar(DateComponents(hour: 8), repeats: true), in: app)
            #expect(app.phone.pendingRequests(of: id).map(\.identifier) == ["daily"])
        }
    }

    /// <https://github.com/SwiftfulThinking/SwiftfulUtilities/issues/1>
    @Test("a repeating request with a year fires once")
    func repeatsWithYear() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.openAndAllow()
            let dated = DateComponents(year: 2027, month: 1, day: 2, hour: 8)
            try await add("m1", Self.calendar(dated, repeats: true), in: app)
            #expect(app.phone.pendingRequests(of: id).count == 1)
            try await app.suspend()
            try await app.advance(by: .seconds(86_400))
            #expect(app.shown.map(\.identifier) == ["m1"] && app.phone.pendingRequests(of: id).isEmpty)
        }
    }

    /// <https://github.com/MaikuB/flutter_local_notifications/issues/2275>,
    /// <https://github.com/zo0r/react-native-push-notification/issues/536>
    @Test(
        "23: of 70 pending requests the last 64 stay, or the soonest if the rule is off; the trace names the lost",
        arguments: [true, false])
    func limit(_ keepsNewest: Bool) async throws {
        var rules = PhoneRules()
        rules.pendingLimitKeepsNewest = keepsNewest
        try await AppUnderTest.run(rules: rules) { app, _ in
            try await app.openAndAllow()
            for number in 1...70 {
                let seconds = Double(number) * 60
                try await add(
                    "r\(number)", UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false), in: app)
            }
            let kept = (keepsNewest ? 7...70 : 1...64).map { "r\($0)" }
            #expect(app.phone.pendingRequests(of: id).map(\.identifier) == kept)
            let lost = app.phone.traces.filter { $0.event == "add" }.flatMap(\.notes)
            #expect(lost.count == 6)
            let first = keepsNewest ? "r1" : "r65"
            #expect(lost.first == "lost: the pending request \(first), since iOS keeps 64")
        }
    }
}

@MainActor private protocol OldScheduling { func schedule(_ text: String, badge: Int) }

/// Schedules a notification for a minute later, as apps did before iOS 10.
private struct MinuteScheduler: OldScheduling {
    @available(*, deprecated)
    @MainActor func schedule(_ text: String, badge: Int) {
        let notification = UILocalNotification()
        notification.alertBody = text
        notification.applicationIconBadgeNumber = badge
        notification.fireDate = Date(timeIntervalSince1970: 1_798_794_060)
        UIApplication.shared.scheduleLocalNotification(notification)
    }
}
