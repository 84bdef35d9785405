import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

/// Every switch and number of ``PhoneRules``: a test moves it, and the ledger names it.
@MainActor @Suite("The switches of PhoneRules") struct SwitchTableTests {
    private let id = TestPhone.bundleID

    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardized

    nonisolated private static let names = Mirror(reflecting: PhoneRules()).children.compactMap(\.label)

    private static let sources: String = {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: tests.path)) ?? []
        let texts = names.filter { $0.hasSuffix(".swift") }.map {
            try? String(contentsOf: tests.appending(path: $0), encoding: .utf8)
        }
        return texts.compactMap(\.self).joined()
    }()

    @Test("each is moved by a test, and named in the ledger", arguments: names)
    func isMoved(_ name: String) throws {
        #expect(Self.sources.contains("rules.\(name) = "), "no test moves \(name)")
        let ledger = Self.tests.appending(path: "../docs/apple-coverage.md")
        let text = try String(contentsOf: ledger, encoding: .utf8)
        #expect(text.contains("`\(name)") || text.contains("`\(name)`"), "the ledger does not name \(name)")
    }

    @Test("4: an app whose notifications are switched off loses its list, or keeps it", arguments: [true, false])
    func switchedOff(_ loses: Bool) async throws {
        var rules = PhoneRules()
        rules.switchedOffAppLosesList = loses
        try await AppUnderTest.run(rules: rules) { app, _ in
            try await app.suspendAllowed()
            try await app.push(["aps": ["alert": "Hello"]])
            try app.phone.settings.setNotificationsAllowed(false, for: id)
            #expect(app.notifications.isEmpty == loses)
            try app.phone.settings.setNotificationsAllowed(true, for: id)
            #expect(app.notifications.isEmpty == loses)
        }
    }

    @Test("8: willPresent is waited for as long as the number says")
    func willPresentSeconds() async throws {
        var rules = PhoneRules()
        rules.willPresentSeconds = 3
        let kept = KeptAnswer()
        try await AppUnderTest.run(rules: rules, asking: { SlowApp($0, kept) }) { app, _ in
            try app.phone.settings.setNotificationsAllowed(true, for: id)
            try await app.open()
            let push = try await app.phone.receive(app.incoming(["aps": ["alert": "Hello"]]))
            try await app.advance(by: .seconds(2))
            #expect(try app.entry(push).presentation == nil)
            try await app.advance(by: .seconds(1))
            #expect(try app.entry(push).presentation?.why.first?.hasSuffix("was not called within 3 s") == true)
        }
    }

    @Test("16: a wake lasts as long as the number says")
    func backgroundWakeSeconds() async throws {
        var rules = PhoneRules()
        rules.backgroundWakeSeconds = 12
        try await AppUnderTest.run(
            rules: rules, asking: { callLog in AskingApp(callLog) { $0.onPush = { _, _ in } } }
        ) { app, _ in
            try await app.suspendAllowed()
            try await app.push(["aps": ["content-available": 1]])
            try await app.advance(by: .seconds(11))
            #expect(app.state == .background)
            try await app.advance(by: .seconds(1))
            #expect(app.state == .notRunning)
        }
    }

    @Test("16: a background task lasts as long as the number says, and an app is suspended as long after it is left")
    func backgroundTime() async throws {
        var rules = PhoneRules()
        rules.enteringBackgroundSeconds = 9
        rules.backgroundTaskSeconds = 20
        try await AppUnderTest.run(rules: rules) { app, _ in
            try await app.openAndAllow()
            await app.phone.pressHome()
            try await app.advance(by: .seconds(8))
            #expect(app.state == .background)
            try await app.advance(by: .seconds(1))
            #expect(app.state == .suspended)
            try await app.open()
            await app.phone.run(in: id) { _ = UIApplication.shared.beginBackgroundTask() }
            await app.phone.pressHome()
            try await app.advance(by: .seconds(19))
            #expect(app.state == .background)
            try await app.advance(by: .seconds(1))
            #expect(app.state == .notRunning)
        }
    }

    @Test("a banner stays as long as the number says")
    func bannerSeconds() async throws {
        var rules = PhoneRules()
        rules.bannerSeconds = 8
        try await AppUnderTest.run(rules: rules) { app, _ in
            try await app.suspendAllowed()
            try await app.push(["aps": ["alert": "Hello"]])
            try await app.advance(by: .seconds(7))
            #expect(app.phone.banner != nil)
            try await app.advance(by: .seconds(1))
            #expect(app.phone.banner == nil)
        }
    }

    @Test("23: as many requests are pending as the number says")
    func pendingRequestLimit() async throws {
        var rules = PhoneRules()
        rules.pendingRequestLimit = 2
        try await AppUnderTest.run(rules: rules) { app, _ in
            try await app.openAndAllow()
            await app.phone.run(in: id) {
                for number in 1...3 {
                    let content = UNMutableNotificationContent()
                    content.body = "Hello"
                    UNUserNotificationCenter.current().add(
                        UNNotificationRequest(
                            identifier: "r\(number)", content: content,
                            trigger: UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)))
                }
            }
            try await app.phone.settled()
            #expect(app.phone.pendingRequests(of: id).map(\.identifier) == ["r2", "r3"])
        }
    }
}
