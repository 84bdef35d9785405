extension AppleSymbols {
    static let uiKit: [String: String] = [
        "UIApplication": """
        shared delegate registerForRemoteNotifications unregisterForRemoteNotifications
        isRegisteredForRemoteNotifications applicationState applicationIconBadgeNumber
        setMinimumBackgroundFetchInterval backgroundFetchIntervalMinimum backgroundFetchIntervalNever
        backgroundRefreshStatus backgroundTimeRemaining beginBackgroundTask endBackgroundTask
        isProtectedDataAvailable isIdleTimerDisabled canOpenURL open keyWindow windows connectedScenes openSessions
        supportsMultipleScenes requestSceneSessionActivation requestSceneSessionDestruction
        requestSceneSessionRefresh shortcutItems openSettingsURLString openNotificationSettingsURLString
        enabledRemoteNotificationTypes registerUserNotificationSettings currentUserNotificationSettings
        presentLocalNotificationNow scheduleLocalNotification cancelLocalNotification cancelAllLocalNotifications
        scheduledLocalNotifications didEnterBackgroundNotification willEnterForegroundNotification
        didFinishLaunchingNotification didBecomeActiveNotification willResignActiveNotification
        didReceiveMemoryWarningNotification willTerminateNotification significantTimeChangeNotification
        backgroundRefreshStatusDidChangeNotification protectedDataWillBecomeUnavailableNotification
        protectedDataDidBecomeAvailableNotification userDidTakeScreenshotNotification
        """,
        "UIApplication.State": "active inactive background",
        "UIBackgroundFetchResult": "newData noData failed",
        "UIBackgroundRefreshStatus": "restricted denied available",
        "UIBackgroundTaskIdentifier": "invalid rawValue init",
        "UIApplication.LaunchOptionsKey": """
        url sourceApplication remoteNotification localNotification annotation location newsstandDownloads
        bluetoothCentrals bluetoothPeripherals shortcutItem eventAttribution userActivityDictionary userActivityType
        cloudKitShareMetadata
        """,
        "UIApplication.OpenURLOptionsKey": "sourceApplication annotation openInPlace eventAttribution",
        "UIApplication.OpenExternalURLOptionsKey": "universalLinksOnly",
        "UIApplicationDelegate": "window main",
        "UIApplicationShortcutItem": "init type localizedTitle",
        "UIRemoteNotificationType": "", "UIUserNotificationType": "", "UIUserNotificationSettings": "",
        "UILocalNotification": "", "UIUserActivityRestoring": "",
        "UISceneError": "",
        "UIScene": """
        session delegate activationState title subtitle open activationConditions willConnectNotification
        didDisconnectNotification didActivateNotification willDeactivateNotification
        willEnterForegroundNotification didEnterBackgroundNotification
        """,
        "UIScene.ActivationState": "unattached foregroundActive foregroundInactive background",
        "UIScene.ConnectionOptions": """
        notificationResponse urlContexts sourceApplication handoffUserActivityType userActivities shortcutItem
        cloudKitShareMetadata
        """,
        "UIWindowScene": "screen interfaceOrientation traitCollection windows keyWindow",
        "UIWindowSceneDelegate": "window",
        "UISceneSession": "scene role configuration persistentIdentifier stateRestorationActivity userInfo",
        "UISceneSession.Role": "windowApplication windowExternalDisplay windowExternalDisplayNonInteractive",
        "UISceneConfiguration": "init name role sceneClass delegateClass storyboard",
        "UIResponder": """
        next canBecomeFirstResponder becomeFirstResponder resignFirstResponder isFirstResponder
        canResignFirstResponder touchesBegan touchesMoved touchesEnded touchesCancelled
        """,
        "UIWindow": """
        init windowScene screen windowLevel isKeyWindow canBecomeKey makeKey makeKeyAndVisible becomeKey resignKey
        rootViewController sendEvent didBecomeVisibleNotification didBecomeHiddenNotification
        didBecomeKeyNotification didResignKeyNotification
        """,
        "UIWindow.Level": "normal statusBar alert + - += -=",
        "UIGestureRecognizer": """
        init addTarget removeTarget state delegate isEnabled view cancelsTouchesInView location require
        """,
        "UIGestureRecognizer.State": "possible began changed ended recognized cancelled failed",
        "UIPanGestureRecognizer": "translation setTranslation velocity",
        "UITapGestureRecognizer": "numberOfTapsRequired numberOfTouchesRequired",
        "UISwipeGestureRecognizer": "direction numberOfTouchesRequired",
        "UILongPressGestureRecognizer": "minimumPressDuration allowableMovement",
        "UIView": """
        init frame bounds center transform alpha isHidden backgroundColor tintColor clipsToBounds tag layer superview
        subviews window addSubview insertSubview removeFromSuperview bringSubviewToFront sendSubviewToBack
        isDescendant viewWithTag convert hitTest point safeAreaInsets safeAreaInsetsDidChange layoutSubviews
        setNeedsLayout layoutIfNeeded sizeThatFits sizeToFit autoresizingMask contentMode gestureRecognizers
        addGestureRecognizer removeGestureRecognizer isUserInteractionEnabled animate performWithoutAnimation
        traitCollection traitCollectionDidChange accessibilityLabel accessibilityTraits isAccessibilityElement
        accessibilityViewIsModal accessibilityPerformEscape transition constraints addConstraint
        safeAreaLayoutGuide layoutMargins mask snapshotView
        """,
        "CALayer": """
        cornerRadius masksToBounds borderWidth borderColor shadowColor shadowOpacity shadowOffset shadowRadius
        zPosition removeAllAnimations add cornerCurve maskedCorners shadowPath
        """,
        "UIViewController": """
        view viewIfLoaded isViewLoaded loadView viewDidLoad viewWillAppear viewDidAppear viewWillDisappear
        viewDidDisappear viewWillLayoutSubviews viewDidLayoutSubviews viewSafeAreaInsetsDidChange
        viewWillTransition supportedInterfaceOrientations present dismiss presentedViewController
        presentingViewController children parent addChild removeFromParent willMove didMove title
        preferredStatusBarStyle prefersStatusBarHidden setNeedsStatusBarAppearanceUpdate didReceiveMemoryWarning
        modalPresentationStyle overrideUserInterfaceStyle traitCollectionDidChange modalTransitionStyle
        """,
        "UIAlertController": "init addAction actions preferredAction message preferredStyle addTextField",
        "UIAlertAction": "init title style isEnabled",
        "UILabel": "text font textColor textAlignment numberOfLines attributedText lineBreakMode",
        "UIButton": "init setTitle setTitleColor setImage titleLabel configuration",
        "UIImageView": "init image",
        "UIImage": "init",
        "UIVisualEffectView": "init contentView effect",
        "UIBlurEffect": "init",
        "UIColor": "init withAlphaComponent resolvedColor label systemBackground",
        "UIFont": "systemFont boldSystemFont preferredFont withSize",
        "UIScreen": "main bounds scale nativeBounds nativeScale",
        "UITraitCollection": """
        userInterfaceStyle horizontalSizeClass verticalSizeClass displayScale hasDifferentColorAppearance current
        """,
        "UIAccessibility": """
        post isVoiceOverRunning isReduceMotionEnabled voiceOverStatusDidChangeNotification
        reduceMotionStatusDidChangeNotification
        """,
        "UIImpactFeedbackGenerator": "init impactOccurred", "UINotificationFeedbackGenerator": "notificationOccurred",
        "UISelectionFeedbackGenerator": "selectionChanged",
        "UIInterfaceOrientationMask": """
        portrait landscapeLeft landscapeRight portraitUpsideDown landscape all allButUpsideDown
        """,
        "UIDeviceOrientation": "unknown portrait portraitUpsideDown landscapeLeft landscapeRight faceUp faceDown",
        "UIDevice": "orientation orientationDidChangeNotification",
        "UIStackView": "", "UIScrollView": "", "UITableView": "", "UITextField": "", "NSLayoutConstraint": "",
        "UIViewPropertyAnimator": "", "UIBarButtonItem": "", "UIPinchGestureRecognizer": "",
        "UIRotationGestureRecognizer": "",
    ]
}
