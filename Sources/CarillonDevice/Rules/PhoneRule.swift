/// The rules of iOS that this phone keeps, each of which a test can switch off (``PhoneRules/ignored``) to see that it
/// would be noticed.
public enum PhoneRule: String, Sendable, Hashable, CaseIterable {
    /// 2: only the first request for permission prompts.
    case promptsOnce
    /// 3: provisional permission is granted without a prompt, and notifications are quiet.
    case provisionalIsQuiet
    /// 5: without permission a push arrives, but nothing is shown.
    case needsPermissionToShow
    /// 6: a reinstalled app gets a new token.
    case newTokenAfterReinstall
    /// 8: in the foreground the app's answer to `willPresent` decides.
    case foregroundAsksTheApp
    /// 10: the centre's delegate must be set before launching is over.
    case delegateBeforeLaunchEnds
    /// 12: a dismissal is reported only for a category that asks for it.
    case dismissalNeedsCategory
    /// 13: an action that needs authentication needs an unlocked phone.
    case authenticationNeedsUnlock
    /// 14: a silent push needs the background mode.
    case silentNeedsBackgroundMode
    /// 15: no launch after a force-quit.
    case forceQuitStopsWakes
    /// 16: an app that does not call its handler in time is terminated.
    case wakeEndsInTermination
    /// 17: a held silent push is replaced by the next one.
    case holdsOnlyTheNewest
    /// 19: the method with a completion handler wins over the older one.
    case newerMethodWins
    /// 23: a request with the same identifier replaces the earlier one.
    case sameIdentifierReplaces
    /// 24: a push's identifier is its collapse id.
    case identifierIsCollapseID
    /// 25: a removal is asynchronous.
    case removalIsAsynchronous
    /// 27: an absent badge changes nothing, and 0 hides it.
    case absentBadgeKeepsNumber
    /// 29: a passive notification shows no banner and makes no sound.
    case passiveIsQuiet
    /// 29: only time-sensitive and critical notifications break through a Focus.
    case focusHoldsBack
    /// 29: a critical alert needs the entitlement to be heard on a muted phone.
    case criticalNeedsEntitlement
    /// 30: the service extension runs only with `mutable-content` and text.
    case extensionNeedsMutableContent
    /// 30: an extension that does not answer in time is passed over, and the original is shown.
    case lateExtensionShowsOriginal
    /// 31: an extension without the filtering entitlement cannot suppress.
    case emptiedContentShowsOriginal
    /// An app is suspended the instant its completion handler is called.
    case suspendedAtOnce
}
