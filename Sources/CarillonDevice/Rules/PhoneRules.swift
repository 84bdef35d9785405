import UIKit

/// How this phone behaves where Apple's pages leave it open or hard numbers are not given.
///
/// Each switch names its rule; the defaults are what is reported most from the field. docs/apple-coverage.md has the
/// table.
public struct PhoneRules: Sendable, Hashable {
    /// Rule 2: a later request for permission gets what the person answered at first, although Settings say otherwise since.
    /// The default is `false`: it gets what holds now.
    public var laterRequestRepeatsFirstAnswer = false
    /// Rule 13: a notification whose category is not declared is shown, without buttons. The default is `true`; otherwise it
    /// is not shown, so that a test finds the mistake.
    public var unknownCategoryIsShown = true
    /// Rule 9: what a foreground app without a notification-center delegate shows. The default is nothing.
    public var foregroundWithoutDelegate: UNNotificationPresentationOptions = []
    /// Rule 8: how long the app may think about `willPresent`, in seconds. The default is 10.
    public var willPresentSeconds = IOSLimits.willPresentSeconds
    /// Rule 16: how long a wake in the background lasts, in seconds of the phone's clock. The default is 30.
    public var backgroundWakeSeconds = IOSLimits.backgroundTimeSeconds
    /// How long an app goes on running after it has left the foreground, in seconds. The default is 5.
    public var enteringBackgroundSeconds = IOSLimits.enteringBackgroundSeconds
    /// Rule 16: how long `beginBackgroundTask` lasts, in seconds. The default is 30.
    public var backgroundTaskSeconds = IOSLimits.backgroundTaskSeconds
    /// Rule 30: how long a service extension may work, in seconds. The default is 30.
    public var serviceExtensionSeconds = IOSLimits.serviceExtensionSeconds
    /// Rule 17: wakes by silent pushes per app and hour; `nil`: as many as come, as on a phone that charges. The default
    /// is `nil`.
    public var silentWakesPerHour: Int?
    /// Rule 16: what the answer `failed` costs of that hour's wakes. The default is 1: the same as any other.
    public var costOfFailedWake = 1
    /// Rule 20: opening from an alert calls the fetch handler again although the app has a center delegate. The default
    /// is `false`.
    public var openingCallsFetchHandlerAgain = false
    /// Rule 21: for a push with text and `content-available`, the app is woken before the text is shown. The default is
    /// `false`: shown first.
    public var wakesBeforePresenting = false
    /// Rule 22: a silent launch carries the payload in its launch options. The default is `true`.
    public var silentLaunchHasOptions = true
    /// Rule 23: how many pending requests an app may have; the soonest are kept. The default is 64.
    public var pendingRequestLimit = IOSLimits.pendingRequests
    /// Rule 24: the identifier of a push without a collapse id is its apns-id. The default is `true`; otherwise the phone
    /// makes one up.
    public var identifierIsAPNsID = true
    /// Rule 26: a tapped notification leaves the list. The default is `true`.
    public var tapRemovesFromList = true
    /// Rule 27: a badge that goes to 0 clears the app's list. The default is `true`.
    public var badgeZeroClearsList = true
    /// Rule 27: a negative `applicationIconBadgeNumber` hides the number and leaves the list, as apps have long relied
    /// on. The default is `true`; otherwise it does nothing.
    public var negativeBadgeHidesNumber = true
    /// Rule 37: a push replaces a *local* notification with the same identifier. The default is `true`.
    public var pushReplacesLocal = true
    /// A removal of delivered notifications needs the app to run for one more turn of the main queue: it waits while the
    /// app is suspended (mattermost-mobile, pull request 2652). The default is `true`.
    public var removalsNeedTheAppRunning = true
    /// Rule 35: in Low Power Mode silent pushes do not wake apps. The default is `true`.
    public var lowPowerModeHoldsSilentPushes = true
    /// Rule 38: how long after locking the files with complete protection can still be read, in seconds. The default
    /// is 10.
    public var protectedDataSeconds = IOSLimits.protectedDataSeconds
    /// How long a banner stays, in seconds. The default is 5.
    public var bannerSeconds = IOSLimits.bannerSeconds
    /// Rules that this phone ignores, certain ones too: how a test shows that it would notice. The default is none.
    public var ignored: Set<PhoneRule> = []

    public init() {}

    /// Whether the phone keeps `rule`.
    func keeps(_ rule: PhoneRule) -> Bool { !ignored.contains(rule) }
}
