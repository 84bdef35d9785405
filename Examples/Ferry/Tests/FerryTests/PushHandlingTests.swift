import CarillonDevice
import Ferry
import Foundation
import Testing
import UserNotifications

@MainActor @Suite("Ferry's push handling") struct PushHandlingTests {
    private let late: JSONValue = [
        "aps": ["alert": ["title": "F7", "body": "20 minutes late"], "sound": "default", "category": "DEPARTURE"]
    ]

    @Test("someone who says no gets no token")
    func denied() async throws {
        try await AppUnderTest.run(ferry) { app in
            try await app.openAndDeny()
            #expect(app.delegate(as: FerryAppDelegate.self)?.deviceToken == nil)
            let trace = try await app.push(late)
            #expect(trace.presentation == nil)
            #expect(trace.notes.contains { $0.hasPrefix("did not arrive: the app has no device token") })
            #expect(app.notifications.isEmpty)
        }
    }

    @Test("someone who allows alerts without a network gets a token when it is back")
    func offline() async throws {
        try await AppUnderTest.run(ferry) { app in
            await app.phone.goOffline()
            try await app.openAndAllow()
            #expect(app.delegate(as: FerryAppDelegate.self)?.deviceToken == nil)
            await app.phone.goOnline()
            try await app.phone.settled()
            #expect(app.delegate(as: FerryAppDelegate.self)?.deviceToken != nil)
        }
    }

    @Test("a silent push updates the timetable in the background, and says so to iOS")
    func silentPush() async throws {
        try await AppUnderTest.run(ferry) { app in
            try await app.openAndAllow()
            try await app.suspend()
            let trace = try await app.push(["aps": ["content-available": 1], "ferry": "F7", "late": 20])
            #expect(trace.wake?.answer == .newData)
            #expect(app.state == .suspended)
            #expect(app.delegate(as: FerryAppDelegate.self)?.timetable.line(for: "F7") == "F7: 20 minutes late")
        }
    }

    @Test("a silent push launches an app that the system has ended, but not one that was force-quit")
    func notRunning() async throws {
        try await AppUnderTest.run(ferry) { app in
            try await app.openAndAllow()
            try await app.suspend()
            try app.phone.system.terminate(app.bundleID)
            #expect(try await app.push(["aps": ["content-available": 1], "ferry": "F7"]).wake?.kind == .launched)
            try await app.forceQuit()
            let lost = try await app.push(["aps": ["content-available": 1], "ferry": "F7"])
            #expect(lost.wake?.kind == .notWoken)
            #expect(lost.wake?.why.contains("force-quit") == true)
        }
    }

    @Test("a cancelled departure leaves the lock screen")
    func removal() async throws {
        try await AppUnderTest.run(ferry) { app in
            try await app.openAndAllow()
            await app.phone.lock()
            try await app.advance(by: .seconds(10))
            try await app.push(late, collapseID: "F7")
            #expect(app.notifications.map(\.request.identifier) == ["F7"])
            try await app.push(["aps": ["content-available": 1], "ferry": "F7", "cancelled": true])
            #expect(app.notifications.isEmpty)
        }
    }

    @Test("the departure that is on screen is not announced again")
    func foreground() async throws {
        try await AppUnderTest.run(ferry) { app in
            try await app.openAndAllow()
            try await app.push(late, collapseID: "F7")
            #expect(app.phone.banner != nil)
            try await app.tap("F7")
            try await app.push(late, collapseID: "F7")
            #expect(app.phone.banner == nil)
        }
    }

    @Test("a banner that nobody taps goes, and the notification stays in the list")
    func time() async throws {
        try await AppUnderTest.run(ferry) { app in
            try await app.openAndAllow()
            try await app.suspend()
            try await app.push(late, collapseID: "F7")
            #expect(app.phone.banner != nil)
            try await app.advance(by: .seconds(5))
            #expect(app.phone.banner == nil)
            #expect(app.notifications.map(\.request.identifier) == ["F7"])
        }
    }

    @Test("the buttons under a notification work without opening the app")
    func actions() async throws {
        try await AppUnderTest.run(ferry) { app in
            try await app.openAndAllow()
            try await app.suspend()
            try await app.push(late, collapseID: "F7")
            try await app.choose(DepartureAction.ask, on: "F7", text: "Is there coffee? ☕️")
            try await app.push(late, collapseID: "F8")
            try await app.choose(DepartureAction.takeNext, on: "F8")
            let timetable = try #require(app.delegate(as: FerryAppDelegate.self)?.timetable)
            #expect(timetable.questions == ["F7: Is there coffee? ☕️"])
            #expect(timetable.rebooked == ["F8"])
            #expect(app.state == .suspended)
        }
    }

    @Test("the service extension adds the pier, also after a force-quit")
    func serviceExtension() async throws {
        try await AppUnderTest.run(ferry) { app in
            try await app.openAndAllow()
            try await app.forceQuit()
            try await app.push(["aps": ["alert": "F7 is late", "mutable-content": 1], "pier": 3])
            #expect(app.notifications.first?.request.content.subtitle == "Pier 3")
        }
    }

    @Test("a payload that APNs would refuse is a failure of the test, not of the phone")
    func badPayload() async throws {
        try await AppUnderTest.run(ferry) { app in
            let error = await #expect(throws: PhoneError.self) { try await app.push(Data("{\"aps\": ".utf8)) }
            #expect(error?.code == .unusablePayload)
        }
    }
}
