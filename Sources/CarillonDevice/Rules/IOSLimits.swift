import CarillonCore
import CarillonExplain

/// iOS's own numbers, with the source of each: the defaults of the properties of ``PhoneRules``.
///
/// The limits for a payload, 4 KB and 5 KB, are in `PushType.payloadByteLimit` in CarillonCore.
enum IOSLimits {
    // MARK: time in the background

    /// The time, in seconds, for which an app may handle a silent push, an action or a background fetch.
    ///
    /// iOS terminates an app that takes longer. "Your app has up to 30 seconds of wall-clock time":
    /// [didReceiveRemoteNotification](https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:didreceiveremotenotification:fetchcompletionhandler:)).
    static let backgroundTimeSeconds = IOSTimes.backgroundTimeSeconds
    /// The time, in seconds, that `beginBackgroundTask` gives an app.
    ///
    /// Apple gives no number; developers have reported 30 seconds since iOS 13. [Extending your app's background execution
    /// time](https://developer.apple.com/documentation/uikit/extending-your-app-s-background-execution-time).
    static let backgroundTaskSeconds = 30
    /// The time, in seconds, for which an app continues to run after leaving the foreground, before iOS suspends it.
    ///
    /// "Approximately five seconds":
    /// [applicationDidEnterBackground](https://developer.apple.com/documentation/uikit/uiapplicationdelegate/applicationdidenterbackground(_:)).
    static let enteringBackgroundSeconds = 5
    /// The time, in seconds, that iOS gives a notification service extension for one push, before it shows the original
    /// content.
    ///
    /// "About 30 seconds":
    /// [Modifying content in newly delivered
    /// notifications](https://developer.apple.com/documentation/usernotifications/modifying-content-in-newly-delivered-notifications).
    static let serviceExtensionSeconds = IOSTimes.serviceExtensionSeconds

    /// The time, in seconds, that iOS gives a processing task before it calls the task's expiration handler.
    ///
    /// "Several minutes":
    /// [BGProcessingTask](https://developer.apple.com/documentation/backgroundtasks/bgprocessingtask).
    static let processingTaskSeconds = 180
    /// The greatest number of refresh tasks that an app may have submitted at a time; iOS refuses a further request.
    ///
    /// For processing tasks the number is ``pendingProcessingTasks``. See
    /// [submit(_:)](https://developer.apple.com/documentation/backgroundtasks/bgtaskscheduler/submit(_:)).
    static let pendingRefreshTasks = 1
    static let pendingProcessingTasks = 10
    /// The time, in seconds, that iOS gives an app to answer, begin or end a call.
    ///
    /// Apple gives no number: [CXAction.timeoutDate](https://developer.apple.com/documentation/callkit/cxaction/timeoutdate).
    static let callActionSeconds = 10

    /// The level of the battery below which iOS does only essential work in the background, from 0 to 1.
    ///
    /// Notes that people took of Apple's talk
    /// [Background execution demystified](https://developer.apple.com/videos/play/wwdc2020/10063/) say about 20 percent. Apple's
    /// documentation gives no number.
    static let criticalBatteryLevel = 0.2

    // MARK: notifications

    /// The time, in seconds, that iOS gives an app in the foreground to answer `willPresent`.
    ///
    /// Apple gives no number.
    static let willPresentSeconds = 10
    /// The greatest length of a sound file, in seconds; instead of a longer file, iOS plays the default sound.
    ///
    /// "Sound files must be less than 30 seconds in length":
    /// [UNNotificationSound](https://developer.apple.com/documentation/usernotifications/unnotificationsound).
    static let soundSeconds = 30.0
    /// The time, in seconds, for which a temporary banner stays on the screen.
    ///
    /// Apple gives no number.
    static let bannerSeconds = 5
    /// The greatest number of pending notifications of an app; iOS drops one of them if the app adds a further one.
    ///
    /// Apple documents the limit for the older class:
    /// [UILocalNotification](https://developer.apple.com/documentation/uikit/uilocalnotification).
    static let pendingRequests = 64
    /// The hours of the scheduled summary: the two full hours that Settings suggests.
    static let summaryHours = [8, 18]

    // MARK: Live Activities

    /// The time, in seconds, after which the system ends a Live Activity.
    ///
    /// See [Displaying live data with Live
    /// Activities](https://developer.apple.com/documentation/activitykit/displaying-live-data-with-live-activities).
    static let activeActivitySeconds = LiveActivityEvent.activeSeconds
    /// The longest time, in seconds, for which an ended Live Activity stays on the lock screen.
    ///
    /// "Within a four-hour window":
    /// [after(_:)](https://developer.apple.com/documentation/activitykit/activityuidismissalpolicy/after(_:)).
    static let endedActivitySeconds = 4 * 3600
    /// The greatest number of Live Activities of an app at a time.
    ///
    /// Apple gives no number; [developers are told about
    /// five](https://experienceleague.adobe.com/en/docs/journey-optimizer/using/channels/live-activity/mobile-live-faq).
    static let activitiesPerApp = 5
    /// The greatest size, in bytes, of attributes and content as JSON.
    ///
    /// See
    /// [attributesTooLarge](https://developer.apple.com/documentation/activitykit/activityauthorizationerror/attributestoolarge).
    static let activityBytes = 4096

    // MARK: launch

    /// The iOS SDK from which on an app must use scenes.
    ///
    /// See [Transitioning to the UIKit scene-based life
    /// cycle](https://developer.apple.com/documentation/uikit/transitioning-to-the-uikit-scene-based-life-cycle).
    static let scenesRequiredFromSDK = 27

    // MARK: widgets

    /// The time, in seconds, within which a widget's reloads count toward its budget.
    ///
    /// "A widget's budget applies to a 24-hour period": [Keeping a widget up to
    /// date](https://developer.apple.com/documentation/widgetkit/keeping-a-widget-up-to-date).
    static let widgetBudgetSeconds = 24 * 3600
    /// The number of reloads of a widget that its budget allows: 40, the lower of the two numbers on that page.
    static let widgetReloadsPerDay = 40

    // MARK: files

    /// The time after locking, in seconds, during which files with complete protection can still be read.
    ///
    /// See the [Platform Security Guide](https://support.apple.com/guide/security/data-protection-classes-secb010e978a).
    static let protectedDataSeconds = 10
}
