import CarillonExplain

/// iOS's own numbers, with the source of each: the defaults of the properties of ``PhoneRules``.
///
/// The size of a payload, 4 KB and 5 KB, is `PushType.payloadByteLimit` in CarillonCore.
enum IOSLimits {
    // MARK: time in the background

    /// How long an app may take for a silent push, an action or a background fetch before it is terminated.
    ///
    /// "Your app has up to 30 seconds of wall-clock time":
    /// [didReceiveRemoteNotification](https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:didreceiveremotenotification:fetchcompletionhandler:)).
    static let backgroundTimeSeconds = IOSTimes.backgroundTimeSeconds
    /// How long `beginBackgroundTask` lasts.
    ///
    /// Apple gives no number; this one is reported from the field since iOS 13.
    /// [Extending your app's background execution time](https://developer.apple.com/documentation/uikit/extending-your-app-s-background-execution-time).
    static let backgroundTaskSeconds = 30
    /// How long an app goes on running after it has left the foreground.
    ///
    /// "Approximately five seconds":
    /// [applicationDidEnterBackground](https://developer.apple.com/documentation/uikit/uiapplicationdelegate/applicationdidenterbackground(_:)).
    static let enteringBackgroundSeconds = 5
    /// How long a notification service extension may take for one push.
    ///
    /// "About 30 seconds":
    /// [Modifying content in newly delivered notifications](https://developer.apple.com/documentation/usernotifications/modifying-content-in-newly-delivered-notifications).
    static let serviceExtensionSeconds = IOSTimes.serviceExtensionSeconds

    /// How long a processing task may take.
    ///
    /// "Several minutes":
    /// [BGProcessingTask](https://developer.apple.com/documentation/backgroundtasks/bgprocessingtask).
    static let processingTaskSeconds = 180
    /// Tasks to refresh, and to process, that an app can have submitted:
    /// [submit(_:)](https://developer.apple.com/documentation/backgroundtasks/bgtaskscheduler/submit(_:)).
    static let pendingRefreshTasks = 1
    static let pendingProcessingTasks = 10
    /// How long an app may take to answer, begin or end a call.
    ///
    /// Apple gives no number: [CXAction.timeoutDate](https://developer.apple.com/documentation/callkit/cxaction/timeoutdate).
    static let callActionSeconds = 10

    // MARK: notifications

    /// How long an app in the foreground may take for `willPresent`.
    ///
    /// Apple gives no number.
    static let willPresentSeconds = 10
    /// How long a sound may be.
    ///
    /// "Sound files must be less than 30 seconds in length":
    /// [UNNotificationSound](https://developer.apple.com/documentation/usernotifications/unnotificationsound).
    static let soundSeconds = 30.0
    /// How long a banner of the temporary style stays.
    ///
    /// Apple gives no number.
    static let bannerSeconds = 5
    /// The number of an app's notifications that can wait for their trigger; iOS keeps the soonest.
    ///
    /// Apple documents it for the older class:
    /// [UILocalNotification](https://developer.apple.com/documentation/uikit/uilocalnotification).
    static let pendingRequests = 64
    /// When the scheduled summary comes, in full hours of the day: the two that Settings propose.
    static let summaryHours = [8, 18]

    // MARK: files

    /// How long after locking the files with complete protection can still be read.
    ///
    /// [Platform Security Guide](https://support.apple.com/guide/security/data-protection-classes-secb010e978a).
    static let protectedDataSeconds = 10
}
