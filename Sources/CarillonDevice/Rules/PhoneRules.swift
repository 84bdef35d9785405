import UIKit

/// The rules of iOS as a phone keeps them: numbers, and switches for behaviour that Apple does not document.
///
/// Each property names its rule in docs/apple-coverage.md; the defaults are the behaviour reported most from the field. iOS's
/// numbers and their sources are in `Rules/IOSLimits.swift`.
public struct PhoneRules: Sendable, Hashable {
    /// Rule 2: a later request for permission gets the person's first answer, whatever Settings say since.
    ///
    /// The default is `false`: it gets the present state.
    public var laterRequestRepeatsFirstAnswer = false
    /// Rule 13: a notification whose category is not declared is shown, without buttons.
    ///
    /// The default is `true`; otherwise it is not shown, so that a test finds the mistake.
    public var unknownCategoryIsShown = true
    /// Rule 9: the presentation in a foreground app without a notification-center delegate.
    ///
    /// The default is nothing.
    public var foregroundWithoutDelegate: UNNotificationPresentationOptions = []
    /// Rule 8: the time an app in the foreground has for `willPresent`, in seconds.
    ///
    /// The default is 10.
    public var willPresentSeconds = IOSLimits.willPresentSeconds
    /// Rule 16: the time an app has in the background after a wake, in seconds of the phone's clock.
    ///
    /// The default is 30. An app that has not called its completion handler by then is terminated.
    public var backgroundWakeSeconds = IOSLimits.backgroundTimeSeconds
    /// The time for which an app runs on after it has left the foreground, in seconds.
    ///
    /// The default is 5.
    public var enteringBackgroundSeconds = IOSLimits.enteringBackgroundSeconds
    /// Rule 16: the duration of `beginBackgroundTask`, in seconds.
    ///
    /// The default is 30.
    public var backgroundTaskSeconds = IOSLimits.backgroundTaskSeconds
    /// Rule 30: the time a service extension has for a push, in seconds.
    ///
    /// The default is 30.
    public var serviceExtensionSeconds = IOSLimits.serviceExtensionSeconds
    /// Rule 17: the number of silent pushes that wake an app within an hour; the newest of the others is held.
    ///
    /// The default is `nil`: no limit, as on a phone that charges. Apple gives no number and advises senders not
    /// to [send more than two or three an hour](https://developer.apple.com/documentation/usernotifications/pushing-background-updates-to-your-app).
    public var silentWakesPerHour: Int?
    /// Rule 16: the number of that hour's wakes that the answer `failed` costs.
    ///
    /// The default is 1, as for any other answer.
    public var costOfFailedWake = 1
    /// Rule 20: opening from an alert calls the fetch handler again although the app has a center delegate.
    ///
    /// The default is `false`.
    public var openingCallsFetchHandlerAgain = false
    /// Rule 19: opening from the alert calls the older method of a suspended app that has only that.
    ///
    /// The default is `true`. Apple contradicts itself: UIKit's header says that the older method is not called when a
    /// push resumes its app, while
    /// [its page](https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:didreceiveremotenotification:))
    /// says that it is called if the app is running. Apps of that time relied on the page: they found the application
    /// state `inactive` there, and took the call for a tap.
    public var openingCallsOlderMethod = true
    /// Rule 21: a plain alert comes to the fetch handler of an app in front whose center delegate has no `willPresent`.
    ///
    /// The default is `true`. Apple says of `willPresent` only that
    /// [nothing is shown without it](https://developer.apple.com/documentation/usernotifications/unusernotificationcenterdelegate/usernotificationcenter(_:willpresent:withcompletionhandler:)),
    /// and of the fetch handler that it is called
    /// [in the foreground or background](https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:didreceiveremotenotification:fetchcompletionhandler:)).
    /// Reports that a center delegate bypasses the app delegate are of delegates with `willPresent`; the tutorial of 2017
    /// that sets a delegate without it lists its news there.
    public var plainAlertFallsBackWithoutWillPresent = true
    /// Rule 21: for a push with text and `content-available`, the app is woken before the text is shown.
    ///
    /// The default is `false`: shown first.
    public var wakesBeforePresenting = false
    /// Rule 22: a silent launch carries the payload in its launch options.
    ///
    /// The default is `true`.
    public var silentLaunchHasOptions = true
    /// Rule 23: the number of pending requests that an app may have; the soonest are kept.
    ///
    /// The default is 64.
    public var pendingRequestLimit = IOSLimits.pendingRequests
    /// Rule 24: the identifier of a push without a collapse id is its apns-id.
    ///
    /// The default is `true`; otherwise the phone makes one up.
    public var identifierIsAPNsID = true
    /// Rule 26: a tapped notification leaves the list.
    ///
    /// The default is `true`.
    public var tapRemovesFromList = true
    /// Rule 27: a badge that goes to 0 clears the app's list.
    ///
    /// The default is `true`.
    public var badgeZeroClearsList = true
    /// Rule 27: a negative `applicationIconBadgeNumber` hides the number and leaves the list.
    ///
    /// The default is `true`, on which apps have long relied; otherwise it does nothing.
    public var negativeBadgeHidesNumber = true
    /// Rule 37: a push replaces a *local* notification with the same identifier.
    ///
    /// The default is `true`.
    public var pushReplacesLocal = true
    /// A removal of delivered notifications waits while the app is suspended.
    ///
    /// The default is `true`: it needs the app to run for one more turn of the main queue, as
    /// [mattermost-mobile found](https://github.com/mattermost/mattermost-mobile/pull/2652).
    public var removalsNeedTheAppRunning = true
    /// Rule 35: in Low Power Mode silent pushes do not wake apps.
    ///
    /// The default is `true`.
    public var lowPowerModeHoldsSilentPushes = true
    /// Rule 38: the time after locking during which files with complete protection can be read, in seconds.
    ///
    /// The default is 10.
    public var protectedDataSeconds = IOSLimits.protectedDataSeconds
    /// The time an app has to perform an action on a call (`CXAction`), in seconds.
    ///
    /// The default is 10.
    public var callActionSeconds = IOSLimits.callActionSeconds
    /// The number of unreported calls after which an app's VoIP pushes stop, until it is installed again.
    ///
    /// The default is `nil`: never, since Apple gives no number.
    public var unreportedCallsUntilPushesStop: Int?
    /// The time for which a banner stays, in seconds.
    ///
    /// The default is 5.
    public var bannerSeconds = IOSLimits.bannerSeconds
    /// The rules that this phone ignores, certain ones too: a test so shows that it notices their absence.
    ///
    /// The default is none.
    public var ignored: Set<PhoneRule> = []

    /// Makes the rules of iOS as it is: every property has its default.
    public init() {}

    /// Whether the phone keeps `rule`.
    func keeps(_ rule: PhoneRule) -> Bool { !ignored.contains(rule) }
}
