import UIKit

/// The rules of iOS on a phone: numbers, and switches for behaviour that Apple does not document.
///
/// Each property names its rule in docs/apple-coverage.md; the defaults are the behaviour that is reported most often. iOS's
/// numbers and their sources are in `Rules/IOSLimits.swift`.
public struct PhoneRules: Sendable, Hashable {
    /// Rule 2: a later request for permission gets the person's first answer, even if Settings have changed since.
    ///
    /// The default is `false`: the request gets the current state.
    public var laterRequestRepeatsFirstAnswer = false
    /// Rule 4: an app whose notifications the person switches off in Settings loses its list.
    ///
    /// The default is `true`, for which there is no public source; with `false` the list stays.
    public var switchedOffAppLosesList = true
    /// Rule 13: a notification with an undeclared category is shown, without buttons.
    ///
    /// The default is `true`; with `false` it is not shown, so that a test finds the mistake.
    public var unknownCategoryIsShown = true
    /// Rule 9: the presentation in a foreground app without a notification-center delegate.
    ///
    /// The default is to show nothing.
    public var foregroundWithoutDelegate: UNNotificationPresentationOptions = []
    /// Rule 8: the time that an app in the foreground has to answer `willPresent`, in seconds.
    ///
    /// The default is 10.
    public var willPresentSeconds = IOSLimits.willPresentSeconds
    /// Rule 16: the time for which a woken app may run in the background, in seconds of the phone's clock.
    ///
    /// The default is 30. iOS terminates an app that has not called its completion handler by then.
    public var backgroundWakeSeconds = IOSLimits.backgroundTimeSeconds
    /// The time for which an app continues to run after leaving the foreground, in seconds.
    ///
    /// The default is 5.
    public var enteringBackgroundSeconds = IOSLimits.enteringBackgroundSeconds
    /// Rule 16: the time that `beginBackgroundTask` gives an app, in seconds.
    ///
    /// The default is 30.
    public var backgroundTaskSeconds = IOSLimits.backgroundTaskSeconds
    /// Rule 30: the time a service extension has for a push, in seconds.
    ///
    /// The default is 30.
    public var serviceExtensionSeconds = IOSLimits.serviceExtensionSeconds
    /// Rule 17: the greatest number of silent pushes that wake an app within an hour.
    ///
    /// The phone holds back further silent pushes until wakes are allowed again, and keeps only the newest.
    ///
    /// The default is `nil`: no limit, as on a charging phone. Apple gives no number and advises senders not to [send more than
    /// two or three an
    /// hour](https://developer.apple.com/documentation/usernotifications/pushing-background-updates-to-your-app).
    public var silentWakesPerHour: Int?
    /// Rule 16: the number by which a push with the answer `failed` counts towards ``silentWakesPerHour``.
    ///
    /// The default is 1, as for any other answer.
    public var costOfFailedWake = 1
    /// Rule 20: a tap on an alert also calls `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`, although
    /// the notification center has a delegate.
    ///
    /// The default is `false`.
    public var openingCallsFetchHandlerAgain = false
    /// Rule 19: a tap on an alert calls `application(_:didReceiveRemoteNotification:)` in an app that was suspended and has
    /// no method with a fetch completion handler.
    ///
    /// The default is `true`. Apple contradicts itself: UIKit's header says that this older method is not called when a push
    /// resumes its app, while [its
    /// page](https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:didreceiveremotenotification:))
    /// says that it is called if the app is running. Older apps relied on the page: if the application state was `inactive`
    /// in this method, they assumed that the person had tapped the push.
    public var openingCallsOlderMethod = true
    /// Rule 21: in the foreground, an alert reaches `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)` if
    /// the notification center's delegate has no `willPresent`.
    ///
    /// The default is `true`. Apple says of `willPresent` only that
    /// [nothing is shown without it](https://developer.apple.com/documentation/usernotifications/unusernotificationcenterdelegate/usernotificationcenter(_:willpresent:withcompletionhandler:)),
    /// and of the fetch handler that it is called
    /// [in the foreground or background](https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:didreceiveremotenotification:fetchcompletionhandler:)).
    /// Reports that a center delegate bypasses the app delegate are about delegates with `willPresent`, and Firebase saw that
    /// [it ends](https://github.com/firebase/firebase-ios-sdk/pull/324) with an empty `willPresent`. The tutorial of
    /// 2017 sets a delegate without it, and lists its news in the fetch handler.
    public var plainAlertFallsBackWithoutWillPresent = true
    /// Rule 21: for a push with text and `content-available`, the app is woken before the text is shown.
    ///
    /// The default is `false`: the text is shown first.
    public var wakesBeforePresenting = false
    /// Rule 22: if a silent push launches an app, the launch options contain the payload.
    ///
    /// The default is `true`.
    public var silentLaunchHasOptions = true
    /// Rule 23: the number of pending requests that an app may have.
    ///
    /// The default is 64.
    public var pendingRequestLimit = IOSLimits.pendingRequests
    /// Rule 23: beyond the limit of pending requests, the phone keeps the newest ones.
    ///
    /// The default is `true`, [as seen since iOS 11](https://github.com/MaikuB/flutter_local_notifications/issues/2275); with
    /// `false` it keeps those that are due soonest, as Apple documented for `UILocalNotification`.
    public var pendingLimitKeepsNewest = true
    /// Rule 23: `nextTriggerDate()` of a `UNTimeIntervalNotificationTrigger` is now and the interval, whenever it is called.
    ///
    /// The default is `true`, by [rdar 41949525](https://github.com/lionheart/openradar-mirror/issues/20122) and the
    /// [Corona-Warn-App](https://github.com/corona-warn-app/cwa-app-ios/pull/1373); with `false` it counts from the trigger's
    /// creation.
    public var intervalDateCountsFromNow = true
    /// Rule 23: a calendar trigger for a day that a month lacks, such as the 31st at 10:00, fires on the next day at that time.
    ///
    /// The default is `true`, [by one report](https://www.jakehao.com/scheduling-notification-monthly); with `false` the
    /// trigger fires at the beginning of the next day. [rdar
    /// 32865247](https://github.com/lionheart/openradar-mirror/issues/17676) reports that it fires on the next day.
    public var missingDayKeepsTime = true
    /// Rule 24: the identifier of a push without a collapse id is its apns-id.
    ///
    /// The default is `true`; with `false` the phone generates one.
    public var identifierIsAPNsID = true
    /// Rule 26: a tapped notification leaves the list.
    ///
    /// The default is `true`.
    public var tapRemovesFromList = true
    /// Rule 27: setting the badge to 0 clears the app's list.
    ///
    /// The default is `true`.
    public var badgeZeroClearsList = true
    /// Rule 27: a negative `applicationIconBadgeNumber` hides the badge and keeps the app's list.
    ///
    /// The default is `true`, because apps have long relied on it; with `false` a negative number has no effect.
    public var negativeBadgeHidesNumber = true
    /// Rule 37: a push replaces a *local* notification with the same identifier.
    ///
    /// The default is `true`.
    public var pushReplacesLocal = true
    /// Whether an app's removal of delivered notifications waits while the app is suspended.
    ///
    /// The default is `true`: the app must run for one more turn of the main queue, as [mattermost-mobile
    /// found](https://github.com/mattermost/mattermost-mobile/pull/2652). A service extension ends with its answer, so [its
    /// removal is lost](https://github.com/MicrosoftDocs/xamarin-docs/issues/3087).
    public var removalsNeedTheAppRunning = true
    /// Rule 30: categories that a service extension sets right before it answers are lost.
    ///
    /// The default is `true`: the buttons were missing [until the extension
    /// waited](https://github.com/Iterable/iterable-swift-sdk/pull/318).
    public var extensionCategoriesNeedTime = true
    /// Rule 35: in Low Power Mode silent pushes do not wake apps.
    ///
    /// The default is `true`.
    public var lowPowerModeHoldsSilentPushes = true
    /// Rule 35: the level of the battery below which silent pushes do not wake apps, from 0 to 1.
    ///
    /// The default is 0.2, according to notes of Apple's talk
    /// [Background execution demystified](https://developer.apple.com/videos/play/wwdc2020/10063/). With 0, the level has no
    /// effect. Apple does not say when such a push is delivered: on this phone, it waits until the level has risen.
    public var criticalBatteryLevel = IOSLimits.criticalBatteryLevel
    /// Rule 38: the time after locking during which files with complete protection can be read, in seconds.
    ///
    /// The default is 10.
    public var protectedDataSeconds = IOSLimits.protectedDataSeconds
    /// The time an app has to perform an action on a call (`CXAction`), in seconds.
    ///
    /// The default is 10.
    public var callActionSeconds = IOSLimits.callActionSeconds
    /// An app in the background must report the call of a VoIP push before its delegate's method returns.
    ///
    /// The default is `true`, [in iOS's own words](https://github.com/QuickBlox/quickblox-ios-sdk/issues/1188); with `false` it
    /// may report until it calls the completion handler, as Apple documents.
    public var callsMustBeReportedAtOnce = true
    /// The number of unreported calls after which an app gets no more VoIP pushes, until it is installed again.
    ///
    /// The default is `nil`: no limit, because Apple gives no number.
    public var unreportedCallsUntilPushesStop: Int?
    /// The time for which a banner stays, in seconds.
    ///
    /// The default is 5.
    public var bannerSeconds = IOSLimits.bannerSeconds
    /// Rule 40: a member of `aps`, `alert` or `sound` with a value that iOS does not accept counts as absent.
    ///
    /// The default is `true`; with `false` an invalid member of `alert` or `sound` invalidates the whole key.
    public var badMemberCountsAsAbsent = true
    /// Rule 40: `true` counts as 1 in `content-available` and `mutable-content`.
    ///
    /// The default is `true`, [as senders found](https://github.com/matthijs2704/vapor-apns/issues/52).
    public var trueCountsAsOne = true
    /// Rule 5: `push` of an ``AppUnderTest`` reaches only an app that has a device token.
    ///
    /// The default is `true`, because a sender without a token has no address; with `false` every installed app is reached.
    public var pushNeedsToken = true
    /// The mistakes of apps for which the phone writes a warning into the trace instead of ending the app.
    ///
    /// The default has the mistakes for which not every iPhone ends an app: an empty identifier, a handler of the center's
    /// delegate that is called twice, and UIKit called off the main thread.
    public var onlyWarnedMistakes: Set<AppMistake> = AppMistake.doubtful
    /// The rules that this phone ignores, so that a test can show that it fails without them.
    ///
    /// The default is none.
    public var ignored: Set<PhoneRule> = []

    /// Makes the default rules: iOS's own behaviour.
    public init() {}

    /// Returns whether the phone keeps `rule`.
    func keeps(_ rule: PhoneRule) -> Bool { !ignored.contains(rule) }
}
