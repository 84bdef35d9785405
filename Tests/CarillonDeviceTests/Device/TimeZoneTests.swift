import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

/// A phone that travels: the time zone changes, in Settings or by itself.
@MainActor @Suite("The phone's time zone") struct TimeZoneTests {
    private let id = TestPhone.bundleID
    /// Friday, 1 January 2027, 09:00 in London.
    private let start = AppUnderTest.usualStart

    /// Runs a test on a phone in London, with the app open and allowed.
    private func run(_ body: @MainActor (AppUnderTest, CallLog) async throws -> Void) async throws {
        let callLog = CallLog()
        let london = try zone("Europe/London")
        let bundle = AppBundle(bundleID: id, name: "Chime", makeDelegate: { AskingApp(callLog) })
        try await AppUnderTest.run(bundle, configuration: { $0.timeZone = london }) { app in
            try await app.openAndAllow()
            try await body(app, callLog)
        }
    }

    private func zone(_ identifier: String) throws -> TimeZone { try #require(TimeZone(identifier: identifier)) }

    private func add(
        _ identifier: String, _ trigger: @escaping @MainActor @Sendable () -> UNNotificationTrigger,
        in app: AppUnderTest
    ) async throws {
        await app.phone.run(in: id) {
            let content = UNMutableNotificationContent()
            content.body = identifier
            UNUserNotificationCenter.current().add(
                UNNotificationRequest(identifier: identifier, content: content, trigger: trigger()))
        }
        try await app.phone.settled()
    }

    /// The hours after the start at which a notification has come.
    private func hours(of identifier: String, in app: AppUnderTest) -> [Double] {
        app.phone.traces.filter { $0.notificationID == identifier && $0.origin == .local }.map {
            Double(($0.arrivedAt - start).components.seconds) / 3600
        }
    }

    @Test("a daily reminder follows the traveller; one with its own zone, and one after some hours, do not")
    func reminders() async throws {
        try await run { app, _ in
            let newYork = try zone("America/New_York")
            try await add(
                "local", { UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 12), repeats: true) },
                in: app)
            try await add(
                "fixed",
                {
                    UNCalendarNotificationTrigger(
                        dateMatching: DateComponents(timeZone: .gmt, hour: 12), repeats: true)
                }, in: app)
            try await add(
                "after", { UNTimeIntervalNotificationTrigger(timeInterval: 3 * 3600, repeats: false) }, in: app)
            await app.phone.pressHome()
            try await app.advance(by: .seconds(3600))
            app.phone.settings.setTimeZone(newYork)
            #expect(app.phone.timeZone == newYork)
            try await app.advance(by: .seconds(30 * 3600))
            #expect(hours(of: "local", in: app) == [8], "12:00 in New York is 17:00 in London")
            #expect(hours(of: "fixed", in: app) == [3, 27])
            #expect(hours(of: "after", in: app) == [3])
            app.phone.settings.setTimeZone(try zone("Europe/London"))
            try await app.advance(by: .seconds(24 * 3600))
            #expect(hours(of: "local", in: app) == [8, 51])
        }
    }

    @Test("a reminder for a date that has passed in the new zone does not come, and one for an hour comes the next day")
    func passed() async throws {
        try await run { app, _ in
            try await add(
                "hour", { UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 12), repeats: false) },
                in: app)
            try await add(
                "date",
                {
                    UNCalendarNotificationTrigger(
                        dateMatching: DateComponents(year: 2027, month: 1, day: 1, hour: 12), repeats: false)
                }, in: app)
            await app.phone.pressHome()
            // In Tokyo it is 18:00.
            app.phone.settings.setTimeZone(try zone("Asia/Tokyo"))
            try await app.advance(by: .seconds(48 * 3600))
            #expect(hours(of: "hour", in: app) == [18])
            #expect(hours(of: "date", in: app) == [])
        }
    }

    @Test("nextTriggerDate of the running app is that of the new zone, and the app is told of the change")
    func told() async throws {
        try await run { app, callLog in
            await app.phone.run(in: id) {
                for name in [.NSSystemTimeZoneDidChange, UIApplication.significantTimeChangeNotification] {
                    _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { note in
                        let name = note.name.rawValue
                        MainActor.assumeIsolated { callLog.write(name) }
                    }
                }
            }
            try await app.phone.perform(.setTimeZone("America/New_York"))
            try await app.phone.settled()
            #expect(
                callLog.lines.suffix(2) == [
                    Notification.Name.NSSystemTimeZoneDidChange.rawValue,
                    UIApplication.significantTimeChangeNotification.rawValue,
                ])
            let next = try await app.phone.value(in: id) {
                UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 12), repeats: false).nextTriggerDate()
            }
            #expect(next == (start + .seconds(8 * 3600)).date)
            await #expect(throws: PhoneError.self) { try await app.phone.perform(.setTimeZone("Atlantis")) }
        }
    }

    @Test("midnight and the scheduled summary are those of the new zone")
    func midnightAndSummary() async throws {
        try await run { app, callLog in
            try app.phone.settings.change(of: id) { $0.scheduledSummary = true }
            app.phone.settings.summaryHours = [18]
            try await app.suspend()
            try await app.push(["aps": ["alert": "news"]], collapseID: "m1")
            app.phone.settings.setTimeZone(try zone("Asia/Tokyo"))
            // 18:00 in Tokyo is 09:00 in London, so the next summary is a day away.
            try await app.advance(by: .seconds(23 * 3600))
            #expect(app.phone.summary.isEmpty)
            try await app.advance(by: .seconds(3600))
            #expect(app.phone.summary.map(\.request.identifier) == ["m1"])
        }
    }
}
