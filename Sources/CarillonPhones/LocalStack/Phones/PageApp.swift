import Articles
import CarillonCore
import CarillonDevice
import Foundation

/// An app that can be installed on the page's phones.
struct PageApp: Sendable {
    /// The app's id in the command `app`.
    let id: String
    let bundle: AppBundle

    /// Returns Chime and the apps of the articles.
    ///
    /// - Parameters:
    ///   - chime: the app on new phones.
    ///   - feed: the feed for the tutorial's app.
    /// - Returns: the apps.
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
