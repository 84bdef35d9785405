import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

@testable import CarillonDevice

@MainActor @Suite("Interruptions and midnight") struct InterruptionTests {
    private let id = TestPhone.bundleID

    @Test(
        "what covers the app makes it inactive, and no less in the foreground: a push is still its to decide",
        arguments: Interruption.allCases)
    func inactive(_ interruption: Interruption) async throws {
        try await AppUnderTest.run(asking: { AskingApp($0) { $0.presentation = [.list] } }) { app, callLog in
            try await app.openAndAllow()
            try await app.phone.screen.interrupt(with: interruption)
            #expect(app.phone.runningState(of: id) == .foregroundInactive)
            let trace = try await app.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            #expect(trace.presentation?.list == true && trace.presentation?.banner == false)
            await app.phone.screen.endInterruption()
            #expect(app.phone.runningState(of: id) == .foregroundActive)
            #expect(callLog.lines.suffix(3) == ["resigns", "willPresent m1", "active"])
        }
    }

    @Test("it ends when the person goes elsewhere, and a permission sheet waits behind it")
    func ends() async throws {
        try await TestPhone.run { test in
            test.install { AskingApp($0) }
            try await test.phone.openApp(id)
            try await test.phone.until("the sheet is up") { $0.permissionSheet != nil }
            try await test.phone.settled()
            try await test.phone.screen.interrupt(with: .incomingCall)
            await test.phone.screen.endInterruption()
            #expect(test.phone.runningState(of: id) == .foregroundInactive)
            try await test.phone.screen.interrupt(with: .incomingCall)
            try await test.phone.answerPermission(allow: true)
            #expect(test.phone.runningState(of: id) == .foregroundInactive)
            await test.phone.lock()
            #expect(test.phone.screen.interruption == nil)
            await test.phone.unlock()
            #expect(test.phone.runningState(of: id) == .foregroundActive)
            try await test.phone.screen.interrupt(with: .controlCenter)
            await test.phone.pressHome()
            #expect(test.phone.screen.interruption == nil && test.phone.runningState(of: id) == .background)
        }
    }

    @Test("at midnight what runs is told of a new day, and what sleeps is told once, when it runs again")
    func midnight() async throws {
        try await AppUnderTest.run(asking: { WatchfulApp($0) }) { app, callLog in
            try await app.phone.openApp(id)
            app.clock.advance(to: DeviceState.midnight(after: app.clock.now, in: .current) - .milliseconds(1))
            try await app.phone.settled()
            #expect(callLog.lines == ["launched", "active"])
            try await app.advance(by: .milliseconds(1))
            #expect(callLog.lines.last == "a new day")
            await app.phone.pressHome()
            for _ in 0..<3 {
                try await app.advance(by: .seconds(86_400))
            }
            #expect(callLog.lines.last == "background")
            try await app.phone.openApp(id)
            #expect(callLog.lines.suffix(3) == ["a new day", "foreground", "active"])
            #expect(callLog.lines.filter { $0 == "a new day" }.count == 2)
        }
    }

    @Test("a day has 23, 24 or 25 hours, as the time zone says", arguments: [("2027-03-28", 23), ("2027-10-31", 25)])
    func daylightSaving(_ day: String, _ hours: Int) throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = day.split(separator: "-").compactMap { Int($0) }
        let start = try #require(
            calendar.date(from: DateComponents(year: parts[0], month: parts[1], day: parts[2])))
        for minutes in stride(from: 0, to: hours * 60, by: 7) {
            let now = Timestamp(start.addingTimeInterval(Double(minutes) * 60))
            #expect(DeviceState.midnight(after: now, in: zone) == Timestamp(start) + .seconds(hours * 3600))
        }
    }
}
