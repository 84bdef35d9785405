/// The symbols of Apple's headers for notifications, and for the parts of UIKit beside them.
///
/// The names are those of iOS 16.5 in Swift's spelling, with the additions of iOS 18. Each must be in the ledger: done, differs,
/// or missing with its reason.
enum AppleSymbols {
    /// Types and their members, by base name.
    static let members: [String: String] = [
        "": """
        UNErrorDomain UNNotificationDefaultActionIdentifier UNNotificationDismissActionIdentifier
        UNNotificationAttachmentOptionsTypeHintKey UNNotificationAttachmentOptionsThumbnailHiddenKey
        UNNotificationAttachmentOptionsThumbnailClippingRectKey UNNotificationAttachmentOptionsThumbnailTimeKey
        UIApplicationMain UIApplicationLaunchOptionsKey UIApplicationOpenURLOptionsKey UIApplicationState
        UIBackgroundTaskInvalid UIApplicationOpenSettingsURLString UIWindowLevel
        UIApplicationBackgroundFetchIntervalMinimum UIApplicationBackgroundFetchIntervalNever
        """,
        "UNAuthorizationOptions": """
        badge sound alert carPlay criticalAlert providesAppNotificationSettings provisional announcement
        timeSensitive
        """,
        "UNNotificationPresentationOptions": "badge sound alert list banner",
        "UNNotificationActionOptions": "authenticationRequired destructive foreground",
        "UNNotificationCategoryOptions": """
        customDismissAction allowInCarPlay hiddenPreviewsShowTitle hiddenPreviewsShowSubtitle allowAnnouncement
        """,
        "UNAuthorizationStatus": "notDetermined denied authorized provisional ephemeral",
        "UNShowPreviewsSetting": "always whenAuthenticated never",
        "UNNotificationSetting": "notSupported disabled enabled",
        "UNAlertStyle": "none banner alert",
        "UNNotificationInterruptionLevel": "passive active timeSensitive critical",
        "UNNotificationContentExtensionMediaPlayPauseButtonType": "none default overlay",
        "UNNotificationContentExtensionResponseOption": "doNotDismiss dismiss dismissAndForwardAction",
        "UNError": """
        code errorDomain userInfo notificationsNotAllowed attachmentInvalidURL attachmentUnrecognizedType
        attachmentInvalidFileSize attachmentNotInDataStore attachmentMoveIntoDataStoreFailed attachmentCorrupt
        notificationInvalidNoDate notificationInvalidNoContent contentProvidingObjectNotAllowed
        contentProvidingInvalid badgeInputInvalid
        """,
        "Activity": """
        id attributes content activityState pushToken activities request update end activityStateUpdates contentUpdates
        pushTokenUpdates activityUpdates pushToStartToken pushToStartTokenUpdates contentState contentStateUpdates
        """,
        "ActivityStyle": "",
        "ActivityState": "active pending stale ended dismissed",
        "ActivityAuthorizationInfo": """
        init areActivitiesEnabled frequentPushesEnabled activityEnablementUpdates frequentPushEnablementUpdates
        """,
        "ActivityAuthorizationError": """
        attributesTooLarge denied globalMaximumExceeded malformedActivityIdentifier missingProcessIdentifier
        persistenceFailure reconnectNotPermitted targetMaximumExceeded unentitled unsupported unsupportedTarget
        visibility errorCode errorDomain failureReason recoverySuggestion
        """,
        "UNNotificationSoundName": "init rawValue",
        "UNUserNotificationCenter": """
        current delegate supportsContentExtensions requestAuthorization setNotificationCategories
        getNotificationCategories notificationCategories getNotificationSettings notificationSettings add
        getPendingNotificationRequests pendingNotificationRequests removePendingNotificationRequests
        removeAllPendingNotificationRequests getDeliveredNotifications deliveredNotifications
        removeDeliveredNotifications removeAllDeliveredNotifications setBadgeCount
        """,
        "UNNotificationContent": """
        init attachments badge body categoryIdentifier launchImageName sound subtitle threadIdentifier title userInfo
        summaryArgument summaryArgumentCount targetContentIdentifier interruptionLevel relevanceScore
        filterCriteria updating
        """,
        "UNMutableNotificationContent": """
        attachments badge body categoryIdentifier launchImageName sound subtitle threadIdentifier title userInfo
        summaryArgument summaryArgumentCount targetContentIdentifier interruptionLevel relevanceScore
        filterCriteria
        """,
        "UNNotificationContentProviding": "",
        "UNNotificationAttributedMessageContext": "init",
        "NSString": "localizedUserNotificationString",
        "UNNotificationRequest": "init identifier content trigger",
        "UNNotification": "date request",
        "UNNotificationResponse": "notification actionIdentifier targetScene",
        "UNTextInputNotificationResponse": "userText",
        "UNNotificationAction": "init identifier title options icon",
        "UNTextInputNotificationAction": "init textInputButtonTitle textInputPlaceholder",
        "UNNotificationActionIcon": "init",
        "UNNotificationCategory": """
        init identifier actions intentIdentifiers options hiddenPreviewsBodyPlaceholder categorySummaryFormat
        """,
        "UNNotificationAttachment": "init identifier url type",
        "UNNotificationSound": """
        default defaultRingtone defaultCritical defaultCriticalSound init ringtoneSoundNamed criticalSoundNamed
        """,
        "UNNotificationTrigger": "repeats",
        "UNPushNotificationTrigger": "",
        "UNTimeIntervalNotificationTrigger": "init timeInterval nextTriggerDate",
        "UNCalendarNotificationTrigger": "init dateComponents nextTriggerDate",
        "UNLocationNotificationTrigger": "init region",
        "UNNotificationSettings": """
        authorizationStatus soundSetting badgeSetting alertSetting notificationCenterSetting lockScreenSetting
        carPlaySetting alertStyle showPreviewsSetting criticalAlertSetting providesAppNotificationSettings
        announcementSetting timeSensitiveSetting scheduledDeliverySetting directMessagesSetting
        """,
        "UNNotificationServiceExtension": "init didReceive serviceExtensionTimeWillExpire",
        "UNNotificationContentExtension": """
        didReceive mediaPlayPauseButtonType mediaPlayPauseButtonFrame mediaPlayPauseButtonTintColor mediaPlay
        mediaPause
        """,
        "NSExtensionContext": """
        notificationActions performNotificationDefaultAction dismissNotificationContentExtension
        mediaPlayingStarted mediaPlayingPaused
        """,
    ].merging(uiKit) { first, _ in first }

    /// The methods of delegates, by their whole names.
    static let methods: [String: String] = [
        "UNUserNotificationCenterDelegate": """
        userNotificationCenter(_:willPresent:withCompletionHandler:) userNotificationCenter(_:willPresent:)
        userNotificationCenter(_:didReceive:withCompletionHandler:) userNotificationCenter(_:didReceive:)
        userNotificationCenter(_:openSettingsFor:)
        """,
        "UIApplicationDelegate": """
        applicationDidFinishLaunching(_:) application(_:willFinishLaunchingWithOptions:)
        application(_:didFinishLaunchingWithOptions:)
        application(_:didRegisterForRemoteNotificationsWithDeviceToken:)
        application(_:didFailToRegisterForRemoteNotificationsWithError:)
        application(_:didReceiveRemoteNotification:)
        application(_:didReceiveRemoteNotification:fetchCompletionHandler:)
        application(_:performFetchWithCompletionHandler:)
        application(_:handleEventsForBackgroundURLSession:completionHandler:) applicationDidBecomeActive(_:)
        applicationWillResignActive(_:) applicationDidEnterBackground(_:) applicationWillEnterForeground(_:)
        applicationWillTerminate(_:) applicationDidReceiveMemoryWarning(_:) applicationSignificantTimeChange(_:)
        applicationProtectedDataWillBecomeUnavailable(_:) applicationProtectedDataDidBecomeAvailable(_:)
        application(_:open:options:) application(_:continue:restorationHandler:)
        application(_:willContinueUserActivityWithType:)
        application(_:didFailToContinueUserActivityWithType:error:) application(_:didUpdate:)
        application(_:performActionFor:completionHandler:)
        application(_:configurationForConnecting:options:) application(_:didDiscardSceneSessions:)
        application(_:supportedInterfaceOrientationsFor:)
        """,
        "UISceneDelegate": """
        scene(_:willConnectTo:options:) sceneDidDisconnect(_:) sceneDidBecomeActive(_:) sceneWillResignActive(_:)
        sceneWillEnterForeground(_:) sceneDidEnterBackground(_:) scene(_:openURLContexts:)
        stateRestorationActivity(for:) scene(_:continue:)
        """,
        "UIWindowSceneDelegate": "windowScene(_:performActionFor:completionHandler:)",
        "UIGestureRecognizerDelegate": """
        gestureRecognizerShouldBegin(_:) gestureRecognizer(_:shouldReceive:)
        gestureRecognizer(_:shouldRecognizeSimultaneouslyWith:) gestureRecognizer(_:shouldRequireFailureOf:)
        gestureRecognizer(_:shouldBeRequiredToFailBy:)
        """,
    ]
}
