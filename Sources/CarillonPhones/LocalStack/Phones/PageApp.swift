import Articles
import CarillonCore
import CarillonDevice
import Chime
import Foundation

/// An app that can be installed on the page's phones.
struct PageApp: Sendable {
    /// The app's id, by which the page's command `app` names the app to install on a phone.
    let id: String
    let bundle: AppBundle

    /// The sound files in each app, with their length in seconds; `opera.aiff` is too long for iOS.
    static let sounds = ["bell.caf": 1, "bingbong.aiff": 1.5, "opera.aiff": 31]

    /// Returns the apps that can be installed on the page's phones.
    ///
    /// - Parameters:
    ///   - chime: the app Chime, which new phones have.
    ///   - feed: the URL of the list of podcast episodes that one of the other apps loads.
    ///   - texts: the folder with the other apps' texts, by language.
    /// - Returns: the apps.
    static func all(chime: AppBundle, feed: URL, texts: URL) -> [PageApp] {
        [PageApp(id: "chime", bundle: chime)]
            + ArticleApp.allCases.map { article in
                var bundle = AppBundle(
                    bundleID: article.bundleID, name: article.name,
                    environment: article.takesPushes ? LocalStack.environment : nil,
                    backgroundModes: article.backgroundModes,
                    makeDelegate: { article.makeDelegate(feed: feed) })
                bundle.sounds = sounds
                bundle.resources = texts
                if article.hasLiveActivities {
                    bundle.supportsLiveActivities = true
                    bundle.liveActivities = [.match]
                }
                return PageApp(id: article.rawValue, bundle: bundle)
            }
    }
}

extension ArticleApp {
    /// The background modes that the app's Info.plist declares.
    var backgroundModes: Set<AppBundle.BackgroundMode> {
        if takesCalls { return [.voip, .remoteNotification] }
        return isWoken ? [.remoteNotification] : []
    }
}

extension LiveActivityLayout {
    /// The Live Activity of the app Match.
    static let match = LiveActivityLayout(for: MatchAttributes.self) { match, state in
        LiveActivityCard(
            title: "\(match.home) \(state.homeScore) : \(state.awayScore) \(match.away)",
            lines: ["\(state.minute)′"], progress: Double(state.minute) / 90)
    }

    /// The match that Chime reports live.
    static let liveMatch = LiveActivityLayout(for: LiveMatchAttributes.self) { match, state in
        LiveActivityCard(
            title: "\(match.home) \(state.homeScore) : \(state.awayScore) \(match.away)",
            lines: ["\(state.minute)′"], progress: Double(state.minute) / 90)
    }

    /// The order of Chime's shop.
    static let order = LiveActivityLayout(for: OrderAttributes.self) { order, state in
        let left = state.stopsLeft == 0 ? "At your door" : "\(state.stopsLeft) of \(order.stops) stops to go"
        return LiveActivityCard(
            title: order.contents, lines: [left, state.place],
            progress: 1 - Double(state.stopsLeft) / Double(max(1, order.stops)))
    }
}
