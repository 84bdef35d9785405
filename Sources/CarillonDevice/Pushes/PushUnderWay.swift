import CarillonCore
import Foundation

/// An arrived push that is not fully handled yet, with its content, its app and its trace entry.
///
/// This is a class, because several functions share it; only ``foreground`` changes, once.
@MainActor final class PushUnderWay {
    let push: IncomingPush
    let content: PushContent
    let app: InstalledApp
    let entry: TraceEntry
    /// The number of the push in the phone's ``OutstandingTasks``.
    let task: Int
    /// The signal for which ``Phone/receive(_:)`` waits.
    ///
    /// The phone gives the signal after it has called the app's delegate, or when it is clear that no such call follows.
    let reached: PendingAnswer<Void>
    /// The answer of an app that was in front when the phone was about to show the push; `nil` until the phone has asked.
    var foreground: PresentationInput.Foreground?

    init(
        push: IncomingPush, content: PushContent, app: InstalledApp, entry: TraceEntry, task: Int,
        reached: PendingAnswer<Void>
    ) {
        self.push = push
        self.content = content
        self.app = app
        self.entry = entry
        self.task = task
        self.reached = reached
    }

    /// Whether the push has nothing to show: no text, sound or badge.
    var isSilent: Bool { !content.aps.isVisible }
    var isWake: Bool { content.aps.contentAvailable }

    /// A step in handling the push; the steps run one after another.
    enum Step {
        /// Calls the app delegate's `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`, if the
        /// app may be woken.
        case wake
        /// Passes the notification to the service extension, then to the app in front, and then to the screen.
        case show
        /// Calls the app delegate of an app in front, if the notification center has no delegate, or if that delegate has no
        /// `willPresent`.
        case tellForegroundApp
    }

    func steps(isShown: Bool, rules: PhoneRules) -> [Step] {
        guard isWake else { return isShown ? [.show, .tellForegroundApp] : [] }
        guard isShown else { return [.wake] }
        return rules.wakesBeforePresenting ? [.wake, .show] : [.show, .wake]
    }

    /// Returns whether the phone shows the push and, for a background push that it does not show, a note with the reason.
    func visibility(_ rules: PhoneRules) -> (isShown: Bool, note: String?) {
        guard !isSilent else { return (false, nil) }
        guard push.pushType != .background || !rules.keeps(.backgroundPushShowsNothing) else {
            return (false, "not shown: alert, badge and sound have no effect in a background push")
        }
        return (true, nil)
    }

    /// Returns the identifier of the notification that the push shows.
    ///
    /// - Parameters:
    ///   - rules: the rules of iOS that the phone follows.
    ///   - random: makes a random identifier.
    /// - Returns: the identifier of the notification.
    func notificationID(_ rules: PhoneRules, random: () -> UUID) -> String {
        if let collapseID = push.collapseID, rules.keeps(.identifierIsCollapseID) { return collapseID }
        return rules.identifierIsAPNsID ? push.apnsID.uuidString : random().uuidString
    }
}
