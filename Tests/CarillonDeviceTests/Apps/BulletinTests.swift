import CarillonCore
import CarillonDevice
import Foundation
import SafariServices
import TestSupport
import Testing
import UIKit

@testable import Bulletin

@MainActor @Suite("Bulletin: Swift 5, completion handlers, no scenes") struct BulletinTests {
    private let id = "app.bulletin"
    private let story: JSONValue = [
        "aps": ["alert": "Big news", "link_url": "https://example.com/news", "category": "NEWS_CATEGORY"]
    ]

    private func run(
        link: (any PushLink)? = nil, _ body: @MainActor (TestPhone) async throws -> Void
    ) async throws {
        try await TestPhone.run(link: link) { test in
            test.phone.install(AppBundle(bundleID: id, name: "Bulletin", main: { AppDelegate.main() }))
            try await body(test)
        }
    }

    private func open(_ test: TestPhone) async throws {
        try await test.phone.openApp(id)
        try await test.phone.until("the permission sheet is up") { $0.permissionSheet != nil }
        try await test.phone.answerPermission(allow: true)
        try await test.phone.settled()
    }

    private func delegate(_ test: TestPhone) throws -> AppDelegate {
        try #require(test.phone.delegate(of: id) as? AppDelegate)
    }

    private func push(_ payload: JSONValue, type: PushType = .alert, to test: TestPhone) async throws -> PushTrace {
        try await test.push(payload, type: type, collapseID: "m1", to: id)
    }

    private func tabs(_ test: TestPhone) throws -> UITabBarController {
        try #require(try delegate(test).window?.rootViewController as? UITabBarController)
    }

    @Test("its main() starts it; it asks, registers, and prints its token as tutorials do")
    func launches() async throws {
        try await run(link: TokenLink()) { test in
            try await open(test)
            try await test.phone.until("the token is there") { _ in (try? delegate(test))?.token != nil }
            #expect(try delegate(test).token == String(repeating: "01", count: 40))
            #expect(test.phone.delegateReport(of: id).nearMisses == [])
            #expect(try tabs(test).selectedIndex == 0)
            #expect(test.texts(of: id).contains("Podcasts"))
        }
    }

    @Test(
        "a push in front comes to willPresent alone, whose deprecated .alert is banner and list; a silent one refreshes"
    )
    func inFront() async throws {
        try await run { test in
            try await open(test)
            let tabs = try tabs(test)
            // As the app: its views ask for UIApplication.shared when they load.
            await test.phone.run(in: id) { tabs.selectedIndex = 1 }
            #expect(test.texts(of: id).contains("Nothing yet"))
            let payload: JSONValue = [
                "aps": ["alert": "Big news", "link_url": "https://example.com/", "content-available": 0]
            ]
            let shown = try await push(payload, to: test)
            #expect(shown.presentation?.banner == true && shown.presentation?.list == true)
            #expect(try delegate(test).stories.stories.isEmpty, "its center delegate has willPresent")
            _ = try await push(
                ["aps": ["alert": "Silent news", "link_url": "https://example.com/s", "content-available": 1]],
                to: test)
            #expect(try delegate(test).stories.stories.isEmpty, "content-available refreshes the podcasts instead")
        }
    }

    @Test("a cold tap launches it with the push, and opens the stories")
    func coldTap() async throws {
        try await run { test in
            try test.phone.settings.setNotificationsAllowed(true, for: id)
            _ = try await push(story, to: test)
            #expect(test.phone.runningState(of: id) == .notRunning)
            try await test.phone.tap("m1", in: id)
            try await test.phone.settled()
            #expect(try tabs(test).selectedIndex == 1)
            // Once from the launch options and once from didReceive: what the tutorial's code really does.
            #expect(try delegate(test).stories.stories.map(\.title) == ["Big news", "Big news"])
            #expect(test.texts(of: id).contains("Big news"))
        }
    }

    @Test("its action opens the link in a browser sheet over the tabs")
    func action() async throws {
        try await run { test in
            try await open(test)
            await test.phone.pressHome()
            _ = try await push(story, to: test)
            #expect(test.phone.actions(of: "m1", in: id).map(\.title) == ["Read"])
            try await test.phone.choose("READ", on: "m1", in: id)
            try await test.phone.settled()
            let safari = try tabs(test).presentedViewController as? SFSafariViewController
            #expect(safari?.initialURL.absoluteString == "https://example.com/news")
            #expect(test.phone.openedURLs.map(\.isInApp) == [true])
            #expect(test.phone.delegateReport(of: id).unchecked == nil)
        }
    }

    @Test("a silent push fetches the episodes and answers newData, then noData when nothing has changed")
    func silentPush() async throws {
        let server = try WebServer(["/feed": .text("One\nTwo\n")])
        defer { server.stop() }
        try await run { test in
            try await open(test)
            try delegate(test).episodes.feed = try server.url("/feed")
            await test.phone.pressHome()
            test.clock.advance(by: .seconds(5))
            let silent: JSONValue = ["aps": ["content-available": 1]]
            #expect(try await push(silent, type: .background, to: test).wake?.answer == .newData)
            #expect(try delegate(test).episodes.items == ["One", "Two"])
            #expect(try await push(silent, type: .background, to: test).wake?.answer == .noData)
            #expect(server.paths == ["/feed", "/feed"])
        }
    }

    @Test("a deletable push comes, and goes with the next one; a number for an id is as good as a text")
    func deletable() async throws {
        try await run { test in
            try await open(test)
            await test.phone.pressHome()
            test.clock.advance(by: .seconds(5))
            let made: JSONValue = ["aps": ["content-available": 1], "crt": 1, "title": "hello there"]
            #expect(try await push(made, type: .background, to: test).wake?.answer == .newData)
            let shown = test.phone.deliveredNotifications(of: id).map(\.request)
            #expect(shown.map(\.identifier) == ["com.pushwoosh.notification.1"])
            #expect(shown.map(\.content.title) == ["hello there"])
            let gone: JSONValue = ["aps": ["content-available": 1], "dlt": 1]
            #expect(try await push(gone, type: .background, to: test).wake?.answer == .newData)
            #expect(test.phone.deliveredNotifications(of: id).isEmpty)
        }
    }

    @Test("an expired message is not shown and answers noData, one that is still valid is")
    func perishable() async throws {
        try await run { test in
            try await open(test)
            await test.phone.pressHome()
            func message(validUntil: Double) -> JSONValue {
                [
                    "aps": ["content-available": 1],
                    "internalData": ["silent": ["body": "Offer"], "validUntil": .double(validUntil)],
                ]
            }
            #expect(
                try await push(message(validUntil: 1000), type: .background, to: test).wake?.answer == .noData)
            #expect(test.phone.deliveredNotifications(of: id).isEmpty)
            #expect(
                try await push(message(validUntil: 99_999_999_999_999), type: .background, to: test).wake?.answer
                    == .newData)
            #expect(test.phone.deliveredNotifications(of: id).map(\.request.content.body) == ["Offer"])
        }
    }

    @Test("it starts again with fresh state by its entry point, and a link, memory and time reach its delegate")
    func life() async throws {
        try await run { test in
            try await open(test)
            let first = ObjectIdentifier(try delegate(test))
            try await test.phone.system.warnOfMemory(id)
            test.phone.system.announceSignificantTimeChange()
            try await test.phone.settled()
            #expect(try delegate(test).events == ["active", "active", "memory", "time"])
            try await test.phone.forceQuit(id)
            let link = try #require(URL(string: "bulletin://story/7"))
            try await test.phone.openURL(link, in: id)
            try await test.phone.settled()
            #expect(ObjectIdentifier(try delegate(test)) != first)
            #expect(
                try delegate(test).events == ["opens bulletin://story/7 from com.apple.mobilesafari", "active"])
        }
    }
}

extension TestPhone {
    /// Every text on the app's screen.
    func texts(of bundleID: String) -> [String] {
        phone.screen.viewTree(of: bundleID).map(Self.texts) ?? []
    }

    static func texts(_ view: ViewSnapshot) -> [String] {
        (view.text.map { [$0] } ?? []) + view.children.flatMap(texts)
    }
}
