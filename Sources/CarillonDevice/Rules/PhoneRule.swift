/// A rule of iOS that a simulated phone keeps.
///
/// A test can switch each rule off (``PhoneRules/ignored``), to show that the test fails without the rule. The numbers of the
/// rules are those in docs/apple-coverage.md.
public enum PhoneRule: String, Sendable, Hashable, CaseIterable {
    /// Rule 1: an option that an app has not requested is reported as not supported, rather than as disabled.
    case unaskedIsNotSupported
    /// Rule 2: iOS asks the person only at the app's first request for permission.
    case promptsOnce
    /// Rule 3: iOS grants provisional permission without asking the person, and delivers the app's notifications without banner
    /// and sound.
    case provisionalIsQuiet
    /// Rule 4: a notification is shown only in the ways that the app's switches in Settings allow.
    case settingsCount
    /// Rule 5: without permission a push arrives, but nothing is shown.
    case needsPermissionToShow
    /// Rule 6: a reinstalled app gets a new token.
    case newTokenAfterReinstall
    /// Rule 7: a deleted app's token is no longer valid.
    case deletedTokenIsInvalid
    /// Rule 8: in the foreground, the app's answer to `willPresent` decides how a notification is shown.
    case foregroundAsksTheApp
    /// Rule 10: the notification center's delegate must be set before launching is over.
    case delegateBeforeLaunchEnds
    /// Rule 11: the response to a text action contains the text that the person has typed.
    case textActionCarriesText
    /// Rule 12: the app learns of a dismissal only if the notification's category has `customDismissAction`.
    case dismissalNeedsCategory
    /// Rule 13: an action that needs authentication needs an unlocked phone.
    case authenticationNeedsUnlock
    /// Rule 13: when an app sets its notification categories, they replace all categories that it set before.
    case categoriesReplaceAll
    /// Rule 14: a silent push needs the background mode `remote-notification`.
    case silentNeedsBackgroundMode
    /// Rule 15: after a force-quit, no event launches the app in the background.
    case forceQuitStopsWakes
    /// Rule 16: iOS terminates an app that does not call its completion handler in time.
    case wakeEndsInTermination
    /// Rule 17: the phone holds back only one silent push of an app; a newer silent push replaces it.
    case holdsOnlyTheNewest
    /// Rule 18: a background push shows nothing.
    case backgroundPushShowsNothing
    /// Rule 19: if an app has both `didReceiveRemoteNotification` methods, only the method with a completion handler is
    /// called.
    case newerMethodWins
    /// Rule 21: while the notification center has a delegate, a push that only shows text does not reach the app delegate.
    case centerDelegateBypasses
    /// Rule 22: if a tap launches an app, the launch options contain the reason, such as the tapped push.
    case coldTapHasLaunchOptions
    /// Rule 23: a request replaces an earlier request with an equal identifier.
    case sameIdentifierReplaces
    /// Rule 24: the identifier of a push's notification is the push's collapse id.
    case identifierIsCollapseID
    /// Rule 25: notifications are removed asynchronously, after the app's call has returned.
    case removalIsAsynchronous
    /// Rule 27: an absent badge leaves the number unchanged, and a badge of 0 hides it.
    case absentBadgeKeepsNumber
    /// Rule 28: the `userInfo` of a push is the whole payload.
    case userInfoIsPayload
    /// Rule 29: a passive notification shows no banner and makes no sound.
    case passiveIsQuiet
    /// Rule 29: only time-sensitive and critical notifications break through a Focus.
    case focusHoldsBack
    /// Rule 29: non-urgent notifications wait for the scheduled summary, if the person has included the app in it.
    case summaryHoldsBack
    /// Rule 29: on a muted phone, a critical alert is heard only if the app has the entitlement for critical alerts and the
    /// person's permission.
    case criticalNeedsEntitlement
    /// Rule 30: the service extension runs only for a push with `mutable-content` and text.
    case extensionNeedsMutableContent
    /// Rule 30: if an extension does not answer in time, the original content is shown.
    case lateExtensionShowsOriginal
    /// Rule 31: without the filtering entitlement, an extension cannot suppress a notification by returning empty content.
    case emptiedContentShowsOriginal
    /// Rule 36: a push for a Live Activity shows no notification.
    case liveActivityIsNoNotification
    /// Rule 41: a push for a Live Activity is ignored if its timestamp is older than that of the content on the screen.
    ///
    /// Apple says of a `timestamp`: ["If this is older than a previous update or push payload, the system ignores this
    /// update"](https://developer.apple.com/documentation/activitykit/activity/update(_:alertconfiguration:timestamp:)).
    case olderUpdateIsIgnored
    /// Rule 41: a push for a Live Activity is ignored if its timestamp is more than eight hours in the future, as [Apple's
    /// engineers say](https://developer.apple.com/forums/thread/776165).
    case farTimestampIsIgnored
    /// Rule 42: a content state that the app's type cannot decode is ignored, as [log messages of
    /// iPhones](https://github.com/istornz/flutter_live_activities/pull/18) say.
    case undecodableContentIsIgnored
    /// Rule 43: a Live Activity without an update is stale from its
    /// [stale date](https://developer.apple.com/documentation/activitykit/activitystate/stale).
    case staleDateMakesStale
    /// Rule 44: an app needs [`NSSupportsLiveActivities`](https://developer.apple.com/documentation/bundleresources/information-property-list/nssupportsliveactivities)
    /// in its Info.plist.
    case activityNeedsPlistKey
    /// Rule 44: an app can start a Live Activity only [in the
    /// foreground](https://developer.apple.com/documentation/activitykit/activityauthorizationerror/visibility).
    case requestNeedsForeground
    /// Rule 44: an app for which the person has switched Live Activities off [starts
    /// none](https://developer.apple.com/documentation/activitykit/activityauthorizationerror/denied).
    case activitySwitchCounts
    /// Rule 44: attributes and content have [at most 4
    /// KB](https://developer.apple.com/documentation/activitykit/activityauthorizationerror/attributestoolarge).
    case activitySizeIsLimited
    /// Rule 45: a push that starts a Live Activity [wakes the
    /// app](https://developer.apple.com/documentation/activitykit/starting-and-updating-live-activities-with-activitykit-push-notifications)
    /// for a moment, so that the app gets the token for updates.
    case pushToStartWakesApp
    /// Rule 46: the token of a Live Activity [becomes invalid with its
    /// end](https://developer.apple.com/forums/thread/825710).
    case endedActivityTokenIsInvalid
    /// Rule 48: a push for widgets or controls needs
    /// [`content-changed`](https://developer.apple.com/documentation/widgetkit/updating-widgets-with-widgetkit-push-notifications).
    case widgetPushNeedsContentChanged
    /// Rule 50: a reload of a widget [does not
    /// count](https://developer.apple.com/documentation/widgetkit/keeping-a-widget-up-to-date) while its app is in the foreground.
    case foregroundReloadIsFree
    /// Rule 51: an app has a token for widgets only while a widget with a push handler is on the phone.
    ///
    /// Apple says of
    /// [`currentPushInfo`](https://developer.apple.com/documentation/widgetkit/widgetcenter/currentpushinfo) that it may be nil "if no
    /// widgets have been configured for push".
    case widgetTokenEndsWithLastWidget
    /// Rule 52: a push for a control reloads [the single
    /// control](https://developer.apple.com/documentation/widgetkit/updating-controls-locally-and-remotely) whose token it was sent to.
    case controlPushReloadsOne
    /// Rule 38: a service extension has its own folder, separate from the app's folder.
    case extensionHasOwnFolder
    /// Rule 38: on a locked phone with a passcode, protected files cannot be read.
    case lockClosesProtectedFiles
    /// Rule 39: an update of an app keeps the person's settings for it, and its declared categories.
    case updateKeepsSettings
    /// If a sound file is missing or longer than 30 seconds, the default sound is played.
    case unplayableSoundIsDefault
    /// A trigger with a region fires only for an app that may use the location.
    case regionNeedsPermission
    /// Without the entitlement for communication notifications, an app's notifications do not show their senders, and do not
    /// break through a Focus that allows the sender.
    case communicationNeedsEntitlement
    /// iOS terminates an app that does not report the call announced by a VoIP push.
    case unreportedCallEndsInTermination
    /// iOS suspends an app as soon as the app has called its completion handler.
    case suspendedAtOnce

    /// The rule's number in docs/apple-coverage.md; `nil` for rules without a number.
    package var number: Int? {
        switch self {
        case .unaskedIsNotSupported: 1
        case .promptsOnce: 2
        case .provisionalIsQuiet: 3
        case .settingsCount: 4
        case .needsPermissionToShow: 5
        case .newTokenAfterReinstall: 6
        case .deletedTokenIsInvalid: 7
        case .foregroundAsksTheApp: 8
        case .delegateBeforeLaunchEnds: 10
        case .textActionCarriesText: 11
        case .dismissalNeedsCategory: 12
        case .authenticationNeedsUnlock, .categoriesReplaceAll: 13
        case .silentNeedsBackgroundMode: 14
        case .forceQuitStopsWakes: 15
        case .wakeEndsInTermination: 16
        case .holdsOnlyTheNewest: 17
        case .backgroundPushShowsNothing: 18
        case .newerMethodWins: 19
        case .centerDelegateBypasses: 21
        case .coldTapHasLaunchOptions: 22
        case .sameIdentifierReplaces: 23
        case .identifierIsCollapseID: 24
        case .removalIsAsynchronous: 25
        case .absentBadgeKeepsNumber: 27
        case .userInfoIsPayload: 28
        case .passiveIsQuiet, .focusHoldsBack, .summaryHoldsBack, .criticalNeedsEntitlement: 29
        case .extensionNeedsMutableContent, .lateExtensionShowsOriginal: 30
        case .emptiedContentShowsOriginal: 31
        case .liveActivityIsNoNotification: 36
        case .olderUpdateIsIgnored, .farTimestampIsIgnored: 41
        case .undecodableContentIsIgnored: 42
        case .staleDateMakesStale: 43
        case .activityNeedsPlistKey, .requestNeedsForeground, .activitySwitchCounts, .activitySizeIsLimited: 44
        case .pushToStartWakesApp: 45
        case .endedActivityTokenIsInvalid: 46
        case .widgetPushNeedsContentChanged: 48
        case .foregroundReloadIsFree: 50
        case .widgetTokenEndsWithLastWidget: 51
        case .controlPushReloadsOne: 52
        case .extensionHasOwnFolder, .lockClosesProtectedFiles: 38
        case .updateKeepsSettings: 39
        case .regionNeedsPermission, .communicationNeedsEntitlement, .suspendedAtOnce, .unplayableSoundIsDefault,
            .unreportedCallEndsInTermination:
            nil
        }
    }
}
