import UIKit

/// The rules of iOS on a phone: numbers, and switches for behaviour that Apple does not document.
///
/// The comment of a property gives the number of its rule in docs/apple-coverage.md, if there is one. The defaults are the
/// behaviour that is reported most often; `Rules/IOSLimits.swift` gives the sources of the default numbers.
public struct PhoneRules: Sendable, Hashable {
    /// Rule 2: whether a later request for permission gets the person's first answer, even if Settings have changed since.
    ///
    /// The default is `false`: the request gets the current state.
    public var laterRequestRepeatsFirstAnswer = false
    /// Rule 29: whether the phone asks for critical alerts in a question of their own.
    ///
    /// The question follows the ordinary one, or comes alone if the app asks for critical alerts later. A refusal leaves the
    /// app's permission as it is, and `requestAuthorization` still
    /// [grants](https://github.com/Baseflow/flutter-permission-handler/issues/1284). The default is `true`, as developers [who miss
    /// "the extra dialog"](https://github.com/invertase/react-native-notifee/issues/198) report; with `false` the ordinary
    /// answer includes critical alerts.
    public var criticalAlertsHaveOwnQuestion = true
    /// Rule 4: whether an app's delivered notifications are removed when the person switches its notifications off in Settings.
    ///
    /// The default is `true`, for which there is no public source; with `false` they stay.
    public var switchedOffAppLosesList = true
    /// Rule 13: whether a notification with an undeclared category is shown, without buttons.
    ///
    /// The default is `true`; with `false` it is not shown, so that a test finds the mistake.
    public var unknownCategoryIsShown = true
    /// Rule 9: the way a notification is shown over an app in the foreground whose notification center has no delegate.
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
    /// Rule 16: the number of wakes, out of ``silentWakesPerHour``, that a push uses up if the app answers `failed`.
    ///
    /// The default is 1, as for any other answer.
    public var costOfFailedWake = 1
    /// Rule 20: whether a tap on an alert also calls the app delegate's fetch handler if the notification center has a delegate.
    ///
    /// The method is `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`. The default is `false`.
    public var openingCallsFetchHandlerAgain = false
    /// Rule 19: whether a tap on an alert can call `application(_:didReceiveRemoteNotification:)`.
    ///
    /// This applies to an app that was suspended and has no method with a fetch completion handler.
    ///
    /// The default is `true`. Apple contradicts itself: UIKit's header says that this older method is not called when a push
    /// resumes its app, while [its
    /// page](https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:didreceiveremotenotification:))
    /// says that it is called if the app is running. Older apps relied on the page: if the application state was `inactive` in
    /// this method, they assumed that the person had tapped the push.
    public var openingCallsOlderMethod = true
    /// Rule 21: whether an alert in the foreground reaches the fetch handler if the center's delegate has no `willPresent`.
    ///
    /// The fetch handler is `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`. The default is `true`.
    ///
    /// Apple says of `willPresent` only that [nothing is shown without
    /// it](https://developer.apple.com/documentation/usernotifications/unusernotificationcenterdelegate/usernotificationcenter(_:willpresent:withcompletionhandler:)),
    /// and of the fetch handler that it is called [in the foreground or
    /// background](https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:didreceiveremotenotification:fetchcompletionhandler:)).
    ///
    /// Developers who report that an alert does not reach the app delegate have a center delegate with `willPresent`. Firebase
    /// found that iOS [no longer falls back to the app delegate](https://github.com/firebase/firebase-ios-sdk/pull/324) if a
    /// library adds an empty `willPresent`.
    public var plainAlertFallsBackWithoutWillPresent = true
    /// Rule 21: whether a push with text and `content-available` wakes the app before the text is shown.
    ///
    /// The default is `false`: the text is shown first.
    public var wakesBeforePresenting = false
    /// Rule 22: whether the launch options contain the payload if a silent push launches an app.
    ///
    /// The default is `true`.
    public var silentLaunchHasOptions = true
    /// Rule 23: the number of pending requests that an app may have.
    ///
    /// The default is 64.
    public var pendingRequestLimit = IOSLimits.pendingRequests
    /// Rule 23: whether the phone keeps the newest pending requests if an app adds more than the limit.
    ///
    /// The default is `true`, [as seen since iOS 11](https://github.com/MaikuB/flutter_local_notifications/issues/2275); with
    /// `false` it keeps those that are due soonest, as Apple documented for `UILocalNotification`.
    public var pendingLimitKeepsNewest = true
    /// Rule 23: whether `nextTriggerDate()` of a `UNTimeIntervalNotificationTrigger` adds the interval to the time of the call.
    ///
    /// The default is `true`, by [rdar 41949525](https://github.com/lionheart/openradar-mirror/issues/20122) and the
    /// [Corona-Warn-App](https://github.com/corona-warn-app/cwa-app-ios/pull/1373); with `false` the interval counts from the
    /// trigger's creation.
    public var intervalDateCountsFromNow = true
    /// Rule 23: whether a calendar trigger for a missing day, such as 31 June at 10:00, fires on the next day at that time.
    ///
    /// The default is `true`, [by one report](https://www.jakehao.com/scheduling-notification-monthly). A second report, [rdar
    /// 32865247](https://github.com/lionheart/openradar-mirror/issues/17676), names the next day but no time. With `false` the
    /// trigger fires at the beginning of the next day.
    public var missingDayKeepsTime = true
    /// Rule 23: whether a calendar trigger with `weekdayOrdinal`, such as the third Tuesday, fires only on such a day.
    ///
    /// In a month without such a day, such as a fifth Tuesday, ``missingDayKeepsTime`` applies. The default is `true`, which is
    /// what an app means; with `false` the trigger fires on every date that Foundation's search finds with the policy for missing
    /// days, such as the first Monday of March. What an iPhone does is not known: `IPhoneProbe` asks it.
    public var weekdayOrdinalIsStrict = true
    /// Rule 24: whether the notification of a push without a collapse ID has the push's `apns-id` as its identifier.
    ///
    /// The default is `true`; with `false` the phone generates an identifier.
    public var identifierIsAPNsID = true
    /// Rule 26: whether a tapped notification is removed from the notification center.
    ///
    /// The default is `true`.
    public var tapRemovesFromList = true
    /// Rule 27: whether setting the badge to 0 removes the app's delivered notifications and their attached files.
    ///
    /// The default is `true`.
    public var badgeZeroClearsList = true
    /// Rule 27: whether a negative `applicationIconBadgeNumber` hides the badge and keeps the app's delivered notifications.
    ///
    /// The default is `true`, because apps have long relied on it; with `false` a negative number has no effect, as [reported of
    /// iOS 18](https://github.com/invertase/notifee/pull/1111).
    public var negativeBadgeHidesNumber = true
    /// Rule 27: whether an app that was deleted has its badge again when it is reinstalled.
    ///
    /// The default is `true`: iOS [remembers the badge by the bundle
    /// ID](https://github.com/jpush/jpush-phonegap-plugin/issues/251), and shows it [until the app is
    /// started](https://github.com/katzer/cordova-plugin-badge/issues/135) and [clears
    /// it](https://github.com/deltachat/deltachat-ios/pull/627).
    public var reinstalledAppKeepsBadge = true
    /// Rule 37: whether a push replaces a *local* notification with an equal identifier.
    ///
    /// The default is `true`.
    public var pushReplacesLocal = true
    /// Whether an app's call to remove delivered notifications takes effect only while the app is running.
    ///
    /// The default is `true`: the app must continue to run for a moment after the call, as [mattermost-mobile
    /// found](https://github.com/mattermost/mattermost-mobile/pull/2652). If a service extension makes this call right before it
    /// answers, the call [is lost](https://github.com/MicrosoftDocs/xamarin-docs/issues/3087), because the answer ends the
    /// extension.
    public var removalsNeedTheAppRunning = true
    /// Rule 30: whether categories that a service extension sets right before it answers are lost.
    ///
    /// The default is `true`: the buttons were missing [until the extension
    /// waited](https://github.com/Iterable/iterable-swift-sdk/pull/318).
    public var extensionCategoriesNeedTime = true
    /// Rule 35: whether the phone holds silent pushes back in Low Power Mode.
    ///
    /// The default is `true`.
    public var lowPowerModeHoldsSilentPushes = true
    /// Rule 35: the charge of the battery, from 0 to 1, below which the phone holds silent pushes back.
    ///
    /// The default is 0.2, according to notes of Apple's talk [Background execution
    /// demystified](https://developer.apple.com/videos/play/wwdc2020/10063/). With 0, the charge has no effect. Apple does not
    /// say when such a push is delivered: on this phone, it waits until the charge has risen.
    public var criticalBatteryLevel = IOSLimits.criticalBatteryLevel
    /// Rule 38: the time after locking during which files with complete protection can be read, in seconds.
    ///
    /// The default is 10.
    public var protectedDataSeconds = IOSLimits.protectedDataSeconds
    /// The time an app has to perform an action on a call (`CXAction`), in seconds.
    ///
    /// The default is 10.
    public var callActionSeconds = IOSLimits.callActionSeconds
    /// Whether an app in the background must report the call of a VoIP push before its delegate's method returns.
    ///
    /// The default is `true`, as iOS says in [its error message](https://github.com/QuickBlox/quickblox-ios-sdk/issues/1188).
    /// With `false` the app may report the call until it calls the completion handler, as Apple documents.
    public var callsMustBeReportedAtOnce = true
    /// The number of unreported calls after which an app gets no more VoIP pushes, until it is installed again.
    ///
    /// The default is `nil`: no limit, because Apple gives no number.
    public var unreportedCallsUntilPushesStop: Int?
    /// The time for which a banner stays, in seconds.
    ///
    /// The default is 5.
    public var bannerSeconds = IOSLimits.bannerSeconds
    /// Rule 40: whether a member of `aps`, `alert` or `sound` with a value that iOS does not accept counts as absent.
    ///
    /// The default is `true`; with `false` an invalid member of `alert` or `sound` makes the whole `alert` or `sound` invalid.
    public var badMemberCountsAsAbsent = true
    /// Rule 40: whether `true` counts as 1 in `content-available` and `mutable-content`.
    ///
    /// The default is `true`, [as senders found](https://github.com/matthijs2704/vapor-apns/issues/52).
    public var trueCountsAsOne = true
    /// Rule 5: whether ``AppUnderTest`` delivers a push only to an app that has a device token.
    ///
    /// The default is `true`, because a real sender needs the token as the address; with `false` a push reaches every installed
    /// app.
    public var pushNeedsToken = true
    /// Rule 41: whether a push that ends a Live Activity is ignored if its timestamp is older than that of the content.
    ///
    /// The default is `false`, [as reported](https://developer.apple.com/forums/thread/776165): the old push ends the Live Activity,
    /// and its content is shown.
    public var olderEndIsIgnored = false
    /// Rule 43: the time after which the system ends a Live Activity, in seconds.
    ///
    /// The default is 28,800: eight hours.
    public var activeActivitySeconds = IOSLimits.activeActivitySeconds
    /// Rule 43: the longest time for which an ended Live Activity stays on the lock screen, in seconds.
    ///
    /// The default is 14,400: four hours.
    public var endedActivitySeconds = IOSLimits.endedActivitySeconds
    /// Rule 43: whether a restart of the phone dismisses all Live Activities.
    ///
    /// The default is `false`, because iOS [saves
    /// them](https://developer.apple.com/documentation/activitykit/activityauthorizationerror/persistencefailure); Apple does not say
    /// what a restart does.
    public var restartEndsActivities = false
    /// Rule 43: whether an update of the app dismisses its Live Activities.
    ///
    /// The default is `true`, as [Home Assistant found](https://github.com/home-assistant/iOS/pull/4830).
    public var updateEndsActivities = true
    /// Rule 44: the greatest number of Live Activities that an app may have at a time.
    ///
    /// The default is 5.
    public var activitiesPerApp = IOSLimits.activitiesPerApp
    /// Rule 45: the time for which an app may run after a push has started a Live Activity, in seconds of the phone's clock.
    ///
    /// The default is 30, as for other wakes; Apple gives no number.
    public var activityWakeSeconds = IOSLimits.backgroundTimeSeconds
    /// Rule 45: whether a Live Activity that a push starts has a token only if the push asks for one with `input-push-token`.
    ///
    /// The default is `false`: it has a token unless the push names a channel, as since iOS 17.2.
    public var startNeedsInputPushToken = false
    /// Rule 45: whether `pushTokenUpdates`, `activityUpdates` and the other sequences begin with the present value.
    ///
    /// The default is `true`. With `false`, an app that begins to observe too late misses the value, as [happens on
    /// iPhones](https://github.com/OneSignal/OneSignal-iOS-SDK/pull/1573): it must also read `pushToken` and `activities`.
    public var activityUpdatesBeginWithCurrent = true
    /// Rule 47: the greatest number of pushes with priority 10 that update an app's Live Activities within an hour.
    ///
    /// The phone holds back further updates until the budget allows them, and keeps only the newest of each Live Activity. Pushes
    /// with priority 5 do not count. The default is `nil`: no limit, because Apple gives no number.
    public var activityUpdatesPerHour: Int?
    /// Rule 47: the number in the place of ``activityUpdatesPerHour`` for an app that declares frequent updates, unless the person
    /// has switched them off.
    ///
    /// The default is `nil`: no limit.
    public var frequentActivityUpdatesPerHour: Int?
    /// Rule 47: the greatest number of pushes that start a Live Activity of an app within an hour; the phone ignores further ones.
    ///
    /// The default is `nil`: no limit. Developers saw a limit [after about ten
    /// starts](https://developer.apple.com/forums/thread/799505) in a short time.
    public var activityStartsPerHour: Int?
    /// Rule 49: the greatest number of reloads of each widget within 24 hours, by pushes and by an app in the background.
    ///
    /// The phone holds back one further reload until the budget allows it. The default is 40: Apple says that a budget [typically
    /// has 40 to 70](https://developer.apple.com/documentation/widgetkit/keeping-a-widget-up-to-date) for a widget that the person
    /// often sees, and that it is dynamic. With `nil` there is no limit, as in WidgetKit's developer mode.
    public var widgetReloadsPerDay: Int? = IOSLimits.widgetReloadsPerDay
    /// Rule 48: whether a push also reloads the app's widgets without a push handler.
    ///
    /// The default is `false`, because Apple calls the handler the way [to opt a widget
    /// in](https://developer.apple.com/documentation/swiftui/widgetconfiguration/pushhandler(_:)). Apple also compares the push with
    /// `reloadAllTimelines()`.
    public var widgetPushReloadsAll = false
    /// The mistakes of apps for which the phone writes a warning into the trace instead of ending the app.
    ///
    /// The default has the four mistakes for which some iPhones end the app and others do not: ``AppMistake/emptyIdentifier``,
    /// ``AppMistake/centerHandlerTwice``, ``AppMistake/uiOffMain`` and ``AppMistake/transfersHandlerOffMain``.
    public var onlyWarnedMistakes: Set<AppMistake> = AppMistake.doubtful
    /// The rules that this phone ignores.
    ///
    /// A test that passes with all rules, but fails once a rule is in this set, depends on that rule. The default is none.
    public var ignored: Set<PhoneRule> = []

    /// Makes the default rules: iOS's own behaviour.
    public init() {}

    /// Returns whether the phone keeps `rule`.
    func keeps(_ rule: PhoneRule) -> Bool { !ignored.contains(rule) }
}
