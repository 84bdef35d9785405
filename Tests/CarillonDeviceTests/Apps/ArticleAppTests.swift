import CarillonCore
import CarillonDevice
import Foundation
import SafariServices
import Testing
import UIKit

@testable import Articles

extension ArticleApp {
    /// The app as the page installs it: in its host, with what its Info.plist declares.
    var bundle: AppBundle {
        AppBundle(
            bundleID: bundleID, name: name, environment: takesPushes ? .sandbox : nil,
            backgroundModes: takesCalls ? [.voip, .remoteNotification] : isWoken ? [.remoteNotification] : [],
            makeDelegate: { makeDelegate(feed: URL(filePath: "/nowhere")) })
    }
}

extension AppUnderTest {
    /// Installs an article's app as the page does, opens it and allows its notifications.
    static func article(
        _ article: ArticleApp, rules: PhoneRules = PhoneRules(), screen: ScreenShape = .withNotch,
        _ body: @MainActor (AppUnderTest) async throws -> Void
    ) async throws {
        try await run(article.bundle, rules: rules, screen: screen) { app in
            try await app.openAndAllow()
            try await body(app)
        }
    }

    /// The article's own delegate, inside of its host.
    func article<Delegate: UIApplicationDelegate>(as type: Delegate.Type = Delegate.self) -> Delegate? {
        (phone.delegate(of: bundleID) as? ArticleFrame)?.app as? Delegate
    }

    /// Whether the app's screen has a text that contains `part`.
    func reads(_ part: String) -> Bool { texts.contains { $0.contains(part) } }
}

@MainActor @Suite("The articles' apps, through what the page runs") struct ArticleAppTests {
    private let news: JSONValue = [
        "aps": ["alert": "Breaking News!", "sound": "default", "link_url": "https://example.org/news"]
    ]
    private let silentCrt: JSONValue = ["aps": ["content-available": 1], "crt": "1", "title": "hello there"]

    @Test("Newscast: a push with the app in front magically appears in the news, unless the phone's rule says no")
    func newsInFront() async throws {
        for fallsBack in [true, false] {
            var rules = PhoneRules()
            rules.plainAlertFallsBackWithoutWillPresent = fallsBack
            try await AppUnderTest.article(.tutorial, rules: rules) { app in
                let tabs = try #require(app.delegate(as: TutorialApp.self)?.tabs)
                await app.phone.run(in: app.bundleID) { tabs.selectedIndex = 1 }
                for _ in 0..<4 {
                    #expect(try await app.push(news).presentation?.isShown == false, "it has no willPresent")
                }
                #expect(app.reads("Breaking News!\nhttps://example.org/news") == fallsBack)
            }
        }
    }

    @Test("Newscast prints permission, settings and token, as in the console of Xcode")
    func console() async throws {
        try await AppUnderTest.run(ArticleApp.tutorial.bundle, link: TokenLink()) { app in
            app.phone.rules.pushNeedsToken = false
            try await app.openAndAllow()
            try await app.phone.until("the token is there") { $0.deviceToken(of: app.bundleID) != nil }
            try await app.phone.settled()
            let tabs = try #require(app.delegate(as: TutorialApp.self)?.tabs)
            await app.phone.run(in: app.bundleID) { tabs.selectedIndex = 2 }
            #expect(app.reads("Permission granted: true") && app.reads("Notification settings: "))
            #expect(app.reads("authorizationStatus: authorized, alertStyle: banner"))
            #expect(app.reads("badgeSetting: enabled") && app.reads("carPlaySetting: notSupported"))
            #expect(app.reads("Device Token: " + String(repeating: "01", count: 40)))
        }
    }

    @Test("Newscast without the entitlement: registering fails, and it prints why; refused permission ends it before")
    func failure() async throws {
        for (article, allows) in [
            (ArticleApp.tutorialUnentitled, true), (.tutorialUnentitled, false), (.tutorial, false),
        ] {
            try await AppUnderTest.run(article.bundle, link: TokenLink()) { app in
                app.phone.rules.pushNeedsToken = false
                try await (allows ? app.openAndAllow() : app.openAndDeny())
                let tabs = try #require(app.delegate(as: TutorialApp.self)?.tabs)
                await app.phone.run(in: app.bundleID) { tabs.selectedIndex = 2 }
                try await app.phone.settled()
                #expect(app.reads("Permission granted: \(allows)"))
                #expect(app.reads("Failed to register: ") == allows)
                #expect(!app.reads("Device Token"))
                #expect(app.phone.deviceToken(of: app.bundleID) == nil)
            }
        }
    }

    @Test("Newscast: View opens the link in a browser sheet over the news, right after the launch too")
    func view() async throws {
        for isRunning in [true, false] {
            try await AppUnderTest.article(.tutorial) { app in
                try await (isRunning ? app.suspend() : app.forceQuit())
                let actionable: JSONValue = [
                    "aps": [
                        "alert": "New Posts!", "link_url": "https://example.org/posts", "category": "NEWS_CATEGORY",
                    ]
                ]
                try await app.push(actionable, collapseID: "m1")
                #expect(app.phone.actions(of: "m1", in: app.bundleID).map(\.title) == ["View"])
                try await app.choose("VIEW_IDENTIFIER", on: "m1")
                let tabs = try #require(app.delegate(as: TutorialApp.self)?.tabs)
                #expect(tabs.selectedIndex == 1)
                let safari = tabs.presentedViewController as? SFSafariViewController
                #expect(safari?.initialURL.absoluteString == "https://example.org/posts")
            }
        }
    }

    @Test("Newscast: a tap that launches it opens the tab News, whatever the payload says")
    func coldTapOnNoStory() async throws {
        try await AppUnderTest.article(.tutorial) { app in
            try await app.forceQuit()
            try await app.push(["aps": ["alert": ["title": "No story"]]], collapseID: "m1")
            try await app.tap("m1")
            let tabs = try #require(app.delegate(as: TutorialApp.self)?.tabs)
            #expect(tabs.selectedIndex == 1 && !app.reads("No story"))
        }
    }

    @Test("As listed loses a removal in the background, in both languages; mended, the removal is waited for")
    func removalInTheBackground() async throws {
        for (article, isLost) in [(ArticleApp.listed, true), (.listedObjectiveC, true), (.deletable, false)] {
            try await AppUnderTest.article(article) { app in
                try await app.suspend()
                try await app.push(silentCrt)
                try await app.push(["aps": ["content-available": 1], "dlt": "1"])
                #expect(app.state == .suspended)
                #expect(app.notifications.isEmpty != isLost, "\(article)")
                try await app.open()
                #expect(app.reads("dlt: newData"), "the screen has the answer when the app runs again")
            }
        }
    }

    @Test("an identifier that is a number: nothing in Swift as listed, and a notification in Objective-C")
    func numbers() async throws {
        for (article, made) in [(ArticleApp.listed, 0), (.listedObjectiveC, 1), (.deletable, 1)] {
            try await AppUnderTest.article(article) { app in
                try await app.suspend()
                try await app.push(["aps": ["content-available": 1], "crt": 1, "title": "hello there"])
                #expect(app.notifications.count == made, "\(article)")
            }
        }
    }

    @Test(
        "dlt and crt in one push: the listing removes, and then creates",
        arguments: [ArticleApp.deletable, .listed, .listedObjectiveC])
    func both(_ article: ArticleApp) async throws {
        try await AppUnderTest.article(article) { app in
            try await app.suspend()
            try await app.push(silentCrt)
            try await app.push(["aps": ["content-available": 1], "dlt": "1", "crt": "2", "title": "the second"])
            try await app.open()
            #expect(app.notifications.map(\.request.content.title) == ["the second"])
            try await app.suspend()
            try await app.push(["aps": ["content-available": 1], "dlt": "2", "crt": "2", "title": "the same id"])
            #expect(app.notifications.map(\.request.content.title) == ["the same id"])
        }
    }

    @Test("a push without a title ends the listing's app at `as!`, and that app alone; the others show no title")
    func noTitle() async throws {
        for (article, answer) in [(ArticleApp.listed, PushTrace.Wake.Answer.ended), (.listedObjectiveC, .newData)] {
            try await AppUnderTest.article(article) { app in
                let trace = try await app.push(["aps": ["content-available": 1], "crt": "1"])
                #expect(trace.wake?.answer == answer)
                #expect((app.state == .notRunning) == (article == .listed))
                guard article == .listed else { return }
                let notes = app.phone.traces.flatMap(\.notes)
                #expect(notes.contains { $0.contains("Unexpectedly found nil while unwrapping an Optional value") })
                try await app.open()
                #expect(app.state == .foregroundActive)
            }
        }
    }

    @Test("Newscast: a link that is no web page ends it at View, with what Xcode prints, and the phone goes on")
    func badLink() async throws {
        for link in ["raywenderlich.com", "ftp://a.b/"] {
            try await AppUnderTest.article(.tutorial) { app in
                try await app.suspend()
                let push: JSONValue = [
                    "aps": ["alert": "New Posts!", "link_url": .string(link), "category": "NEWS_CATEGORY"]
                ]
                try await app.push(push, collapseID: "m1")
                try await app.choose("VIEW_IDENTIFIER", on: "m1")
                #expect(app.state == .notRunning && app.phone.frontApp == nil)
                let sentence = "The specified URL has an unsupported scheme. Only HTTP and HTTPS URLs are supported."
                #expect(app.phone.traces.flatMap(\.notes).contains { $0.contains(sentence) && $0.contains(link) })
                try await app.open()
                #expect(app.state == .foregroundActive)
            }
        }
    }

    @Test("Older: the payload of the push that launched it is on its screen")
    func olderPayload() async throws {
        try await AppUnderTest.article(.olderMethod) { app in
            try await app.forceQuit()
            try await app.push(["aps": ["alert": "Hello"], "acme1": "bar"], collapseID: "m1")
            try await app.tap("m1")
            #expect(app.reads(#"launch options: {"acme1":"bar","aps":{"alert":"Hello"}}"#))
        }
    }

    @Test("Older: a tap while it is suspended calls its only method, unless the phone's rule says no")
    func olderTapped() async throws {
        for isCalled in [true, false] {
            var rules = PhoneRules()
            rules.openingCallsOlderMethod = isCalled
            try await AppUnderTest.article(.olderMethod, rules: rules) { app in
                try await app.suspend()
                try await app.push(["aps": ["alert": "Hello", "badge": 9]], collapseID: "m1")
                #expect(app.article(as: OlderMethodApp.self)?.heard == [])
                try await app.tap("m1")
                #expect(app.article(as: OlderMethodApp.self)?.heard == (isCalled ? ["Hello, badge 9, no sound"] : []))
                #expect(app.reads("Hello, badge 9, no sound") == isCalled)
            }
        }
    }

    @Test("Older: a silent push in front calls its only method, and the trace says so")
    func olderSilent() async throws {
        try await AppUnderTest.article(.olderMethod) { app in
            let trace = try await app.push(["aps": ["content-available": 1], "acme1": "bar"])
            #expect(app.article(as: OlderMethodApp.self)?.heard.count == 1)
            #expect(trace.wake?.answer == .handled)
            try await app.suspend()
            #expect(try await app.push(["aps": ["content-available": 1]]).wake?.answer == .notImplemented)
        }
    }

    @Test("Older: a tap that launches it is in its launch options, and the method is not called")
    func olderLaunched() async throws {
        try await AppUnderTest.article(.olderMethod) { app in
            try await app.forceQuit()
            try await app.push(["aps": ["alert": "Hello"]], collapseID: "m1")
            try await app.tap("m1")
            #expect(app.article(as: OlderMethodApp.self)?.heard == ["launched for Hello, badge -1, no sound"])
        }
    }

    @Test("Banner: it rests below a Dynamic Island, with a dictionary's title and body, and a tap opens a screen")
    func banner() async throws {
        let island = ScreenShape(width: 393, height: 852, scale: 3, safeAreaTop: 59, safeAreaBottom: 34)
        for (screen, top) in [(island, 59.0), (.withHomeButton, 8)] {
            try await AppUnderTest.article(.banner, screen: screen) { app in
                try await app.push(["aps": ["alert": ["title": "Game Request", "body": "Bob wants to play poker"]]])
                try await app.advance(by: .milliseconds(300))
                let card = app.phone.screen.viewTree(of: app.bundleID)?.first { $0.kind == .view && $0.shadow != nil }
                #expect(card?.frame.y == top)
                #expect(card?.texts == ["Bob wants to play poker", "Game Request"])
                try await app.phone.screen.tap(atX: 190, y: top + 30)
                try await app.advance(by: .seconds(1))
                #expect(app.article(as: BannerDemoApp.self)?.opened.count == 1)
                #expect(app.reads("Game Request") && app.reads("Opened by the banner."))
                #expect(app.texts.contains("Done"))
                try await app.push(["aps": ["alert": "Above the screen"]])
                try await app.advance(by: .milliseconds(300))
                #expect(app.texts.first { $0 != "Tap to read" } == "Above the screen", "it is in front of a new screen")
            }
        }
    }

    @Test("Guard hands somebody else's push on; a delegate without the newer method answers NoData")
    func handedOn() async throws {
        try await AppUnderTest.article(.expiryGuard) { app in
            let someoneElses: JSONValue = ["aps": ["content-available": 1], "somebody": "else"]
            #expect(try await app.push(someoneElses).wake?.answer == .noData)
            let (older, newer) = (OlderMethodApp(), OlderAndNewerApp())
            let expiryGuard = try #require(app.article(as: ExpiryGuardApp.self))
            expiryGuard.applicationDelegate = older
            #expect(try await app.push(someoneElses).wake?.answer == .noData)
            #expect(older.heard == [], "the guard asks for the newer method only")
            expiryGuard.applicationDelegate = newer
            #expect(try await app.push(someoneElses).wake?.answer == .newData)
            #expect(newer.heard.count == 1)
        }
    }

    @Test("no text of an article's app is cut off or drawn over another, however long", arguments: ArticleApp.allCases)
    func nothingIsClipped(_ article: ArticleApp) async throws {
        try await AppUnderTest.article(article) { app in
            for length in [1, 8, 60, 270] {
                let words = String(repeating: "words of news ", count: length)
                try await app.push(["aps": ["alert": .string(words), "link_url": "https://example.org/news"]])
                try await app.push([
                    "aps": ["content-available": 1], "crt": .string("\(length)"), "title": .string(words),
                ])
            }
            for tab in 0..<3 {
                if let tabs = app.delegate(as: TutorialApp.self)?.tabs {
                    await app.phone.run(in: app.bundleID) { tabs.selectedIndex = tab }
                }
                try await app.phone.settled()
                let tree = try #require(app.phone.screen.viewTree(of: app.bundleID))
                #expect(Self.cutOff(tree).isEmpty)
                #expect(Self.overlaps(tree).isEmpty)
            }
        }
    }

    /// The texts of many lines in a view that have less room than they need.
    private static func cutOff(_ view: ViewSnapshot) -> [String] {
        var own: [String] = []
        if view.kind == .label, let text = view.text, view.lineLimit == 0, let size = view.fontSize {
            let label = UILabel(frame: .zero)
            (label.text, label.numberOfLines, label.font) = (text, 0, .systemFont(ofSize: size))
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).count
            let needed = label.sizeThatFits(CGSize(width: view.frame.width, height: .greatestFiniteMagnitude)).height
            if needed > view.frame.height || Double(lines) * size > view.frame.height { own = [text] }
        }
        return own + view.children.flatMap(cutOff)
    }

    /// The pairs of sibling texts in a view that lie over each other.
    private static func overlaps(_ view: ViewSnapshot) -> [String] {
        let labels = view.children.filter { $0.kind == .label && $0.text?.isEmpty == false }
        let own = labels.enumerated().flatMap { index, first in
            labels[(index + 1)...].filter { second in
                first.frame.y < second.frame.y + second.frame.height
                    && second.frame.y < first.frame.y + first.frame.height
                    && first.frame.x < second.frame.x + second.frame.width
                    && second.frame.x < first.frame.x + first.frame.width
            }.map { "\(first.text ?? "") / \($0.text ?? "")" }
        }
        return own + view.children.flatMap(overlaps)
    }
}
