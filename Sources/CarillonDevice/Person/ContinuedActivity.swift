import Foundation
@_spi(Simulation) import UIKit

/// A universal link, or an activity from another device.
struct ContinuedActivity: @unchecked Sendable {
    // `@unchecked`: it is the phone's copy, which nobody changes before the app has it.
    let activity: NSUserActivity
    let isHandoff: Bool
    /// The reason why an announced activity never arrived; `nil` if it did.
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

    /// The launch options with UIKit's keys; UIKit gives the second one no name.
    var launchDictionary: [String: Any] {
        [
            UIApplication.LaunchOptionsKey.userActivityType.rawValue: activity.activityType,
            "UIApplicationLaunchOptionsUserActivityKey": activity,
        ]
    }
}
