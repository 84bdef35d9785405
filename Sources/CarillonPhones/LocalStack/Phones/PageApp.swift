import Articles
import CarillonCore
import CarillonDevice
import Foundation

/// An app that can be put on the page's phones.
struct PageApp: Sendable {
    /// The id for the command `app`.
    let id: String
    let bundle: AppBundle

    /// - Parameters:
    ///   - chime: the app that the phones have at first.
    ///   - feed: the feed of the tutorial's app.
    /// - Returns: Chime and the articles' own apps.
    static func all(chime: AppBundle, feed: URL) -> [PageApp] {
        [PageApp(id: "chime", bundle: chime)]
            + ArticleApp.allCases.map { article in
                PageApp(
                    id: article.rawValue,
                    bundle: AppBundle(
                        bundleID: article.bundleID, name: article.name, environment: LocalStack.environment,
                        backgroundModes: article.takesCalls ? [.voip, .remoteNotification] : [.remoteNotification],
                        makeDelegate: { article.makeDelegate(feed: feed) }))
            }
    }
}
