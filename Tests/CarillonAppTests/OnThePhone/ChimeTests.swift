import CarillonApp
import CarillonBanner
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Chime
import Foundation
import Testing
import UIKit
import UserNotifications

@MainActor
@Suite("Chime, the example app")
struct ChimeTests {
    private let feed = ChimeFeed()

    private func chime(_ fixture: AppFixture) throws -> ChimeAppDelegate { try fixture.chime }
    private func settle(_ fixture: AppFixture) async throws { try await fixture.settle() }

    private func open(_ fixture: AppFixture, allow: Bool = true) async throws {
        try await fixture.openChime(allow: allow, feed: feed)
    }

    @Test("every callback of Chime is one that iOS calls: the phone finds no near miss in it, its extension included")
    func callbacks() async throws {
        try await AppFixture.run { fixture in
            try await open(fixture)
            try await fixture.push(news(), collapseID: "n1")
            let report = fixture.phone.delegateReport(of: AppFixture.bundleID)
            #expect(report.nearMisses == [] && report.unchecked == nil)
        }
    }

    private func news(_ id: String = "n1") -> JSONValue { AppFixture.news(id) }

    @Test("asks for permission at its first launch, signs in, and starts with its podcasts")
    func firstLaunch() async throws {
        try await AppFixture.run { fixture in
            try await open(fixture)
            let chime = try chime(fixture)
            #expect(chime.screen == .podcasts && chime.podcasts.podcasts == Podcast.archive)
            #expect(chime.carillon?.user == "ada")
        }
    }

    @Test("breaking news in the foreground magically appears in the feed")
    func foreground() async throws {
        try await AppFixture.run { fixture in
            try await open(fixture)
            try await fixture.push(news(), type: .alert, collapseID: "n1")
            try await settle(fixture)
            #expect(try chime(fixture).news.items.map(\.title) == ["Breaking News!"])
            #expect(fixture.phone.banner != nil)
        }
    }

    @Test("a cold tap opens the news item")
    func coldTap() async throws {
        try await AppFixture.run { fixture in
            try await open(fixture)
            try await fixture.phone.forceQuit(AppFixture.bundleID)
            try await fixture.push(news(), type: .alert, collapseID: "n1")
            try await fixture.phone.tap("n1", in: AppFixture.bundleID)
            try await settle(fixture)
            let chime = try chime(fixture)
            #expect(
                chime.screen
                    == .item(
                        NewsItem(
                            id: "n1", title: "Breaking News!", text: "Breaking News!",
                            link: URL(string: "https://example.com/news"))))
            #expect(chime.news.items.count == 1)
        }
    }

    @Test("a reply to an app that does not run reaches it without a scene, and so does a silent push")
    func noScene() async throws {
        try await AppFixture.run { fixture in
            try await open(fixture)
            try await fixture.push(news(), type: .alert, collapseID: "n1")
            try await fixture.phone.forceQuit(AppFixture.bundleID)
            try await fixture.phone.choose("REPLY_ACTION", on: "n1", in: AppFixture.bundleID, text: "Cold?")
            try await fixture.phone.settled()
            #expect(try chime(fixture).replies == ["Cold?"])
            #expect(fixture.phone.frontApp == nil)
            #expect(fixture.log.all.compactMap(\.advice) == [])
        }
    }

    @Test("the View action opens the page behind the news, Reply keeps what was written, Forget drops the news")
    func actions() async throws {
        try await AppFixture.run { fixture in
            try await open(fixture)
            try await fixture.goHome()
            for id in ["n1", "n2", "n3"] { try await fixture.push(news(id), type: .alert, collapseID: id) }
            #expect(
                fixture.phone.actions(of: "n1", in: AppFixture.bundleID).map(\.title) == ["View", "Reply", "Forget"])
            try await fixture.phone.choose("VIEW_ACTION", on: "n1", in: AppFixture.bundleID)
            try await settle(fixture)
            #expect(try chime(fixture).screen == .page(try #require(URL(string: "https://example.com/news"))))
            try await fixture.goHome()
            try await fixture.phone.choose("REPLY_ACTION", on: "n2", in: AppFixture.bundleID, text: "Really?")
            try await fixture.phone.settled()
            #expect(try chime(fixture).replies == ["Really?"])
            try await fixture.phone.choose("FORGET_ACTION", on: "n3", in: AppFixture.bundleID)
            try await fixture.phone.settled()
            #expect(try chime(fixture).news.items.map(\.id).sorted() == ["n1", "n2"])
        }
    }

    @Test("the tutorial's silent push refreshes the podcasts, and says honestly whether there was a new one")
    func silentRefresh() async throws {
        try await AppFixture.run { fixture in
            try await open(fixture)
            try await fixture.goHome()
            let nothing = try await fixture.push(["aps": ["content-available": 1]])
            feed.podcasts.append(Podcast(title: "New", host: "Ada"))
            let something = try await fixture.push(["aps": ["content-available": 1]])
            #expect(nothing.wake?.answer == .noData && something.wake?.answer == .newData)
            #expect(try chime(fixture).podcasts.podcasts.last?.title == "New")
            #expect(fixture.onScreen.isEmpty)
        }
    }

    @Test("whoever does not allow notifications sees Chime's own banner instead")
    func ownBanner() async throws {
        try await AppFixture.run { fixture in
            try await open(fixture, allow: false)
            try await fixture.push(news(), type: .alert, collapseID: "n1")
            try await settle(fixture)
            #expect(fixture.onScreen.isEmpty)
            let chime = try chime(fixture)
            #expect(chime.news.items.count == 1)
            #expect(chime.banner?.current?.id == "n1")
        }
    }
}
