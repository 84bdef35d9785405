import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The reason why a person brings an app to the front, other than a tap on the app's icon.
enum OpeningReason: @unchecked Sendable {
    // `@unchecked`: Apple's classes in it are immutable, or are not modified meanwhile.
    case response(UNNotificationResponse)
    case url(URL, from: String)
    case activity(ContinuedActivity)
    case shortcut(UIApplicationShortcutItem)
    /// The person has opened the app's own settings page from the menu of a notification, or from Settings if there is none.
    case settings(UNNotification?)

    /// The bundle ID of Safari, which the phone names as the source of links that come from no installed app.
    static let linkSource = "com.apple.mobilesafari"

    /// The launch options of an app without scenes that was launched for this reason.
    var launchOptions: [UIApplication.LaunchOptionsKey: Any]? {
        switch self {
        case .response(let response):
            guard response.notification.request.trigger is UNPushNotificationTrigger else { return nil }
            return [.remoteNotification: response.notification.request.content.userInfo]
        case .url(let url, let source): return [.url: url, .sourceApplication: source]
        case .activity(let continued): return [.userActivityDictionary: continued.launchDictionary]
        case .shortcut(let item): return [.shortcutItem: item]
        case .settings: return nil
        }
    }

    /// The connection options of a scene that was connected for this reason.
    @MainActor var connectionOptions: UIScene.ConnectionOptions {
        switch self {
        case .response(let response): UIScene.ConnectionOptions(notificationResponse: response)
        case .url(let url, let source):
            UIScene.ConnectionOptions(
                sourceApplication: source, urlContexts: [UIOpenURLContext(url: url, sourceApplication: source)])
        case .activity(let continued):
            if continued.isHandoff {
                UIScene.ConnectionOptions(handoffUserActivityType: continued.activity.activityType)
            } else {
                UIScene.ConnectionOptions(userActivities: [continued.activity])
            }
        case .shortcut(let item): UIScene.ConnectionOptions(shortcutItem: item)
        case .settings: UIScene.ConnectionOptions()
        }
    }

    /// Whether a scene that is connected for this reason gets the whole reason in its connection options.
    ///
    /// For Handoff the options contain only the activity's type; the activity itself follows later.
    var fitsConnectionOptions: Bool {
        if case .activity(let continued) = self { return !continued.isHandoff }
        return true
    }
}

/// A universal link, or an activity from another device.
struct ContinuedActivity: @unchecked Sendable {
    // `@unchecked`: the phone's copy, which is not modified before the app has it.
    let activity: NSUserActivity
    let isHandoff: Bool
    /// The reason why the activity of another device did not arrive; `nil` if it arrived.
    let failure: (any Error)?

    init(_ activity: NSUserActivity, isHandoff: Bool, failure: (any Error)? = nil) {
        self.activity = activity
        self.isHandoff = isHandoff
        self.failure = failure
    }

    static func browsing(_ url: URL) -> ContinuedActivity {
        let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
        activity.webpageURL = url
        return ContinuedActivity(activity, isHandoff: false)
    }

    /// The activity's launch options with UIKit's keys.
    ///
    /// UIKit has no public constant for `UIApplicationLaunchOptionsUserActivityKey`.
    var launchDictionary: [String: Any] {
        [
            UIApplication.LaunchOptionsKey.userActivityType.rawValue: activity.activityType,
            "UIApplicationLaunchOptionsUserActivityKey": activity,
        ]
    }
}
