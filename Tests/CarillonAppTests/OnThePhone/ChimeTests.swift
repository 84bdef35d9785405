import CarillonApp
import CarillonCore
import CarillonDevice
import Chime
import Foundation
import Testing
import UIKit
import UserNotifications

@MainActor
@Suite("Chime, the example app")
struct ChimeTests {
    /// Whether there is a new episode.
    private final class Feed: @unchecked Sendable {  // read and changed on the main thread only
        var podcasts = Podcast.archive
    }

    private let feed = Feed()

    private func install(_ bench: Bench, recall: CarillonConfiguration.Recall = .enabled) throws {
        guard let url = URL(string: "https://push.example.com") else { throw URLError(.badURL) }
        let (service, feed, log) = (bench.service, feed, bench.log)
        let configuration = ChimeConfiguration(
            service: url, topic: Bench.bundleID, recall: recall, podcastFeed: { feed.podcasts },
            transport: { _ in service }, report: { log.add($0) }, signInToken: { "ada" })
        bench.phone.install(
            AppBundle(
                bundleID: Bench.bundleID, name: "Chime", environment: .sandbox,
                appGroups: [ChimeConfiguration.appGroup],
                makeDelegate: { ChimeAppDelegate(configuration: configuration) },
                makeServiceExtension: { ChimeNotificationService(configuration: configuration) }))
    }

    private func chime(_ bench: Bench) throws -> ChimeAppDelegate {
        try #require(bench.phone.delegate(of: Bench.bundleID) as? ChimeAppDelegate)
    }

    private func settle(_ bench: Bench) async throws {
        for _ in 0..<2 {
            try await bench.phone.settled()
            await (bench.phone.delegate(of: Bench.bundleID) as? ChimeAppDelegate)?.carillon?.settle()
        }
        try await bench.phone.settled()
    }

    private func open(_ bench: Bench, allow: Bool = true) async throws {
        try install(bench)
        try await bench.open()
        try await bench.phone.until("the permission sheet is up") { $0.permissionSheet != nil }
        try await bench.phone.answerPermission(allow: allow)
        try await settle(bench)
    }

    @Test("every callback of Chime is one that iOS calls: the phone finds no near miss in it, its extension included")
    func callbacks() async throws {
        try await Bench.run { bench in
            try await open(bench)
            try await bench.push(news, collapseID: "n1")
            let report = bench.phone.delegateReport(of: Bench.bundleID)
            #expect(report.nearMisses == [] && report.unchecked == nil)
        }
    }

    private let news: JSONValue = [
        "aps": [
            "alert": "Breaking News!", "sound": "default", "link_url": "https://example.com/news",
            "category": "NEWS_CATEGORY", "content-available": 1, "mutable-content": 1,
        ],
        "carillon": ["v": 1, "id": "n1"],
    ]

    @Test("asks for permission at its first launch, signs in, and starts with its podcasts")
    func firstLaunch() async throws {
        try await Bench.run { bench in
            try await open(bench)
            let chime = try chime(bench)
            #expect(chime.screen == .podcasts && chime.podcasts.podcasts == Podcast.archive)
            #expect(chime.carillon?.user == "ada")
        }
    }

    @Test("breaking news in the foreground magically appears in the feed")
    func foreground() async throws {
        try await Bench.run { bench in
            try await open(bench)
            try await bench.push(news, type: .alert, collapseID: "n1")
            try await settle(bench)
            #expect(try chime(bench).news.items.map(\.title) == ["Breaking News!"])
            #expect(bench.phone.banner != nil)
        }
    }

    @Test("a cold tap opens the news item")
    func coldTap() async throws {
        try await Bench.run { bench in
            try await open(bench)
            try await bench.phone.forceQuit(Bench.bundleID)
            try await bench.push(news, type: .alert, collapseID: "n1")
            try await bench.phone.tap("n1", in: Bench.bundleID)
            try await settle(bench)
            let chime = try chime(bench)
            #expect(
                chime.screen
                    == .item(
                        NewsItem(
                            id: "n1", title: "Breaking News!", text: "Breaking News!",
                            link: URL(string: "https://example.com/news"))))
            #expect(chime.news.items.count == 1)
        }
    }

    @Test("the View action opens the page behind the news, Reply keeps what was written, Forget drops the news")
    func actions() async throws {
        try await Bench.run { bench in
            try await open(bench)
            try await bench.goHome()
            try await bench.push(news, type: .alert, collapseID: "n1")
            #expect(
                bench.phone.actions(of: "n1", in: Bench.bundleID).map(\.title) == ["View", "Reply", "Forget"])
            try await bench.phone.choose("VIEW_ACTION", on: "n1", in: Bench.bundleID)
            try await settle(bench)
            #expect(try chime(bench).screen == .page(try #require(URL(string: "https://example.com/news"))))
            try await bench.goHome()
            try await bench.push(news, type: .alert, collapseID: "n1")
            try await bench.phone.choose("REPLY_ACTION", on: "n1", in: Bench.bundleID, text: "Really?")
            try await bench.phone.settled()
            #expect(try chime(bench).replies == ["Really?"])
            try await bench.push(news, type: .alert, collapseID: "n1")
            try await bench.phone.choose("FORGET_ACTION", on: "n1", in: Bench.bundleID)
            try await bench.phone.settled()
            #expect(try chime(bench).news.items.isEmpty)
        }
    }

    @Test("the tutorial's silent push refreshes the podcasts, and says honestly whether there was a new one")
    func silentRefresh() async throws {
        try await Bench.run { bench in
            try await open(bench)
            try await bench.goHome()
            let nothing = try await bench.push(["aps": ["content-available": 1]])
            feed.podcasts.append(Podcast(title: "New", host: "Ada"))
            let something = try await bench.push(["aps": ["content-available": 1]])
            #expect(nothing.wake?.answer == .noData && something.wake?.answer == .newData)
            #expect(try chime(bench).podcasts.podcasts.last?.title == "New")
            #expect(bench.onScreen.isEmpty)
        }
    }

    @Test("whoever does not allow notifications sees Chime's own banner instead")
    func ownBanner() async throws {
        try await Bench.run { bench in
            try await open(bench, allow: false)
            try await bench.push(news, type: .alert, collapseID: "n1")
            try await settle(bench)
            #expect(bench.onScreen.isEmpty)
            let chime = try chime(bench)
            #expect(chime.news.items.count == 1)
            #expect(chime.banner?.current?.id == "n1")
        }
    }
}
