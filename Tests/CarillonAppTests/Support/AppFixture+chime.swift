import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonExtension
import CarillonMessaging
import Chime
import Foundation
import Testing
import UIKit
import UserNotifications

/// Whether there is a new episode.
final class ChimeFeed: @unchecked Sendable {  // `@unchecked`: main thread only
    var podcasts = Podcast.archive
}

extension ChimeAppDelegate: AppWithCarillon {}

/// Chime in the place of the plain app.
extension AppFixture {
    private func installChime(feed: ChimeFeed) throws {
        guard let url = URL(string: "https://push.example.com") else { throw URLError(.badURL) }
        let (service, log) = (service, log)
        var configuration = ChimeConfiguration(
            service: url, podcastFeed: .list { feed.podcasts },
            report: { log.add($0) }, signInToken: { "ada" })
        configuration.reach(service)
        phone.install(
            AppBundle(
                bundleID: Self.bundleID, name: "Chime", environment: .sandbox,
                appGroups: [ChimeConfiguration.appGroup], usesScenes: true,
                makeDelegate: { [configuration] in ChimeAppDelegate(configuration: configuration) },
                makeServiceExtension: { [configuration] in
                    let notificationService = ChimeNotificationService(configuration: configuration)
                    notificationService.makeTransport = { _ in service }
                    return notificationService
                }))
    }

    /// Installs and opens Chime, and answers what it asks.
    func openChime(allow: Bool = true, feed: ChimeFeed = ChimeFeed()) async throws {
        try installChime(feed: feed)
        try await open()
        try await phone.until("the permission sheet is up") { $0.permissionSheet != nil }
        try await phone.answerPermission(allow: allow)
        try await settle()
    }

    var chime: ChimeAppDelegate {
        get throws { try #require(phone.delegate(of: Self.bundleID) as? ChimeAppDelegate) }
    }

    /// The tutorial's push, as the service sends it.
    static func news(_ id: String) -> JSONValue {
        [
            "aps": [
                "alert": "Breaking News!", "sound": "default", "link_url": "https://example.com/news",
                "category": "NEWS_CATEGORY", "content-available": 1, "mutable-content": 1,
            ],
            "carillon": ["v": 1, "id": .string(id)],
        ]
    }
}

extension ChimeConfiguration {
    /// Lets Chime reach a test's service.
    mutating func reach(_ service: any ServiceTransport) {
        makeCarillon = { configuration in
            let platform = AppPlatform.current(appGroup: Self.appGroup)
            return Carillon(
                configuration: configuration, platform: platform, transport: service, center: .current(),
                application: .shared, randomness: platform.randomness)
        }
    }
}
