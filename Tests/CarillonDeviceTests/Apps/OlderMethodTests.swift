import CarillonCore
import CarillonDevice
import Testing
import UIKit

@testable import Articles

@MainActor @Suite("The older method for remote notifications, as its page describes it") struct OlderMethodTests {
    private func run(
        _ main: @escaping @MainActor @Sendable () -> Void, _ body: @MainActor (AppUnderTest) async throws -> Void
    ) async throws {
        try await AppUnderTest.run(AppBundle(bundleID: "com.example.older", name: "Older", main: main)) { app in
            app.phone.rules.pushNeedsToken = false
            try app.phone.settings.setNotificationsAllowed(true, for: app.bundleID)
            try await body(app)
        }
    }

    private let full: JSONValue = [
        "aps": [
            "alert": ["body": "Bob wants to play poker", "show-view": false], "badge": 9, "sound": "bingbong.aiff",
        ],
        "acme1": "bar",
    ]

    private func heard(_ app: AppUnderTest) -> [String]? { app.delegate(as: OlderMethodApp.self)?.heard }

    @Test("it is called in the foreground, with alert, badge and sound as they were sent")
    func foreground() async throws {
        try await run({ OlderMethodApp.main() }) { app in
            try await app.open()
            try await app.push(full)
            try await app.push(["aps": ["alert": "Hello"]])
            #expect(
                heard(app) == ["Bob wants to play poker, badge 9, bingbong.aiff", "Hello, badge -1, no sound"])
        }
    }

    @Test("it is not called in the background, and no silent push wakes an app that has only it")
    func background() async throws {
        try await run({ OlderMethodApp.main() }) { app in
            try await app.open()
            try await app.suspend()
            #expect(try await app.push(full).presentation?.isShown == true)
            #expect(try await app.push(["aps": ["content-available": 1]]).wake?.answer == .notImplemented)
            #expect(heard(app) == [])
            #expect(app.badge == 9)
        }
    }

    @Test("an app that is not running gets the push in its launch options, and the method is not called")
    func launch() async throws {
        try await run({ OlderMethodApp.main() }) { app in
            try await app.push(full, collapseID: "m1")
            #expect(app.state == .notRunning)
            try await app.tap("m1")
            #expect(heard(app) == ["launched for Bob wants to play poker, badge 9, bingbong.aiff"])
        }
    }

    @Test("of both methods only the newer one is called, in the foreground and in the background")
    func both() async throws {
        try await run({ OlderAndNewerApp.main() }) { app in
            try await app.open()
            try await app.push(["aps": ["alert": "One"]])
            try await app.suspend()
            try await app.push(["aps": ["content-available": 1, "sound": "two"]])
            #expect(
                app.delegate(as: OlderAndNewerApp.self)?.heard == [
                    "newer: One, badge -1, no sound", "newer: no alert, badge -1, two",
                ])
        }
    }
}
