import CarillonCore
import Foundation

/// A push that has arrived and is not handled yet, with its content, its app and its entry among the traces.
///
/// An object, since it goes from hand to hand; only ``foreground`` changes, once.
@MainActor final class PushUnderWay {
    let push: IncomingPush
    let content: PushContent
    let app: InstalledApp
    let entry: TraceEntry
    /// The number of its work among the phone's ``OutstandingTasks``.
    let task: Int
    /// Answered once the app has been called, for the caller that handed the phone the push.
    let reached: PendingAnswer<Void>
    /// The answer of the app, if it was in front when the push was to be shown; `nil` until it has been asked.
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

    /// Whether it is nothing but a reason to wake its app.
    var isSilent: Bool { !content.payload.aps.isVisible }
    var isWake: Bool { content.payload.aps.contentAvailable }

    /// A step in handling the push; the steps run one after the other.
    enum Step {
        /// Calls the app's fetch handler, if the app may be woken.
        case wake
        /// Passes the notification to the service extension, then to the app in front, then to the screen.
        case show
        /// Tells an app in front whose notification center has no delegate, or one without `willPresent`.
        case tellForegroundApp
    }

    func steps(isShown: Bool, rules: PhoneRules) -> [Step] {
        guard isWake else { return isShown ? [.show, .tellForegroundApp] : [] }
        guard isShown else { return [.wake] }
        return rules.wakesBeforePresenting ? [.wake, .show] : [.show, .wake]
    }

    /// Returns whether the push shows the person something, and otherwise a note that says why not.
    func visibility(_ rules: PhoneRules) -> (isShown: Bool, note: String?) {
        guard !isSilent else { return (false, nil) }
        guard push.pushType != .background || !rules.keeps(.backgroundPushShowsNothing) else {
            return (false, "not shown: alert, badge and sound have no effect in a background push")
        }
        return (true, nil)
    }

    /// Returns the identifier of the push's notification.
    ///
    /// - Parameters:
    ///   - rules: iOS's rules.
    ///   - random: makes one up.
    /// - Returns: the identifier under which the list keeps it.
    func notificationID(_ rules: PhoneRules, random: () -> UUID) -> String {
        if let collapseID = push.collapseID, rules.keeps(.identifierIsCollapseID) { return collapseID }
        return rules.identifierIsAPNsID ? push.apnsID.uuidString : random().uuidString
    }
}
