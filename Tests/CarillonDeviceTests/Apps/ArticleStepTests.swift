import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

@testable import Articles

@MainActor @Suite("The articles' apps at the steps between, and what they print") struct ArticleStepTests {
    private let news: JSONValue = ["aps": ["alert": "Breaking News!", "link_url": "https://example.org/news"]]
    private let actionable: JSONValue = [
        "aps": ["alert": "New Posts!", "link_url": "https://example.org/posts", "category": "NEWS_CATEGORY"]
    ]

    private func openNews(_ app: AppUnderTest) async throws {
        let tabs = try #require(app.tutorial?.tabs)
        await app.phone.run(in: app.bundleID) { tabs.selectedIndex = 1 }
    }

    @Test("Newscast 1: a push in front is delivered, and nothing in the app handles it; away it is shown")
    func registering() async throws {
        try await AppUnderTest.article(.tutorialRegistering) { app in
            let trace = try await app.push(news)
            #expect(trace.presentation?.isShown == false)
            try await openNews(app)
            #expect(!app.reads("Breaking News!"))
            try await app.suspend()
            #expect(try await app.push(news).presentation?.isShown == true)
        }
    }

    @Test("Newscast 2 and 3: the first fetch handler makes the news item, in front; without the mode nothing wakes it")
    func receiving() async throws {
        for step in [ArticleApp.tutorialReceiving, .tutorialActing] {
            try await AppUnderTest.article(step) { app in
                try await app.push(news)
                try await openNews(app)
                #expect(app.reads("Breaking News!\nhttps://example.org/news"))
                try await app.advance(by: .seconds(40))
                #expect(app.state == .foregroundActive, "in front iOS waits for no answer")
                try await app.suspend()
                let silent = try await app.push(["aps": ["content-available": 1]])
                #expect(silent.wake?.kind == .notWoken, "the background mode is switched on in the last step")
            }
        }
    }

    @Test("Newscast 3: View opens the app, and nothing follows: the center has no delegate. Newscast 2 has no View")
    func acting() async throws {
        for (step, actions) in [(ArticleApp.tutorialActing, ["View"]), (.tutorialReceiving, [])] {
            try await AppUnderTest.article(step) { app in
                try await app.suspend()
                try await app.push(actionable, collapseID: "m1")
                #expect(app.phone.actions(of: "m1", in: app.bundleID).map(\.title) == actions)
                guard !actions.isEmpty else { return }
                try await app.choose("VIEW_IDENTIFIER", on: "m1")
                let tabs = try #require(app.tutorial?.tabs)
                #expect(app.state == .foregroundActive)
                #expect(tabs.selectedIndex == 0 && tabs.presentedViewController == nil)
                let lost = "the response was lost: the notification center has no delegate"
                #expect(app.phone.traces.flatMap(\.notes).contains(lost))
            }
        }
    }

    @Test("a tap on a cold start opens News at the second step already, and not at the first")
    func coldTap() async throws {
        for (step, tab) in [(ArticleApp.tutorialRegistering, 0), (.tutorialReceiving, 1), (.tutorialActing, 1)] {
            try await AppUnderTest.article(step) { app in
                try await app.forceQuit()
                try await app.push(news, collapseID: "m1")
                try await app.tap("m1")
                #expect(app.tutorial?.tabs.selectedIndex == tab, "\(step)")
            }
        }
    }

    @Test("the listing in Objective-C prints the whole payload; the one in Swift does not")
    func payloadIsPrinted() async throws {
        for (article, prints) in [(ArticleApp.listedObjectiveC, true), (.listed, false), (.deletable, false)] {
            try await AppUnderTest.article(article) { app in
                try await app.push(["aps": ["content-available": 1], "crt": "1", "title": "hello there"])
                #expect(app.reads("Push notification fetch :{") == prints, "\(article)")
                #expect(app.reads("title = hello there;") == prints)
            }
        }
    }

    @Test("the guard's notification has the message's sound and its whole payload")
    func soundAndPayload() async throws {
        try await AppUnderTest.article(.expiryGuard) { app in
            try await app.suspend()
            for (sound, name) in [
                ("default", UNNotificationSound.default), ("bell.caf", .init(named: .init("bell.caf"))),
            ] {
                let silent: JSONValue = ["title": "Offer", "sound": .string(sound)]
                try await app.push([
                    "aps": ["content-available": 1], "messageId": .string(sound), "internalData": ["silent": silent],
                    "own": "data",
                ])
                let content = try #require(app.notifications.first?.request.content)
                #expect(content.sound == name && content.userInfo["own"] as? String == "data")
            }
        }
    }

    @Test("Guard + 1: another sender's push is the second delegate's, and so is the answer")
    func secondDelegate() async throws {
        try await AppUnderTest.article(.expiryGuardForwarding) { app in
            let trace = try await app.push(["aps": ["content-available": 1], "somebody": "else"])
            #expect(trace.wake?.answer == .newData)
            #expect(app.reads("the second delegate has it: somebody"))
            try await app.suspend()
            try await app.push([
                "aps": ["content-available": 1], "messageId": "m1", "internalData": ["silent": ["title": "Offer"]],
            ])
            #expect(app.notifications.count == 1)
        }
    }

    @Test("Covered: a real push lies over the app's own banner, which goes after six seconds, seen or not")
    func covered() async throws {
        try await AppUnderTest.article(.bannerCovered) { app in
            let trace = try await app.push([
                "aps": ["alert": ["title": "A real push", "body": "Over it."], "content-available": 1]
            ])
            #expect(trace.presentation?.banner == true)
            try await app.advance(by: .milliseconds(300))
            #expect(app.article(as: BannerDemoApp.self)?.pushController.current != nil)
            #expect(app.reads("A real push"), "beneath iOS's banner there is the app's")
            try await app.advance(by: .seconds(7))
            #expect(app.article(as: BannerDemoApp.self)?.pushController.current == nil)
        }
        try await AppUnderTest.article(.banner) { app in
            let trace = try await app.push(["aps": ["alert": "Mine", "content-available": 1]])
            #expect(trace.presentation?.isShown == false, "without a delegate iOS shows none in front")
        }
    }
}

extension AppUnderTest {
    /// The tutorial's app, at any of its steps.
    fileprivate var tutorial: TutorialScreens? { phone.delegate(of: bundleID) as? TutorialScreens }
}
