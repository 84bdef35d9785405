import CarillonCore
import Foundation

/// An arrived push that is not fully handled yet, with its content, its app and its trace entry.
///
/// An object, since it goes from hand to hand; only ``foreground`` changes, once.
@MainActor final class PushUnderWay {
    let push: IncomingPush
    let content: PushContent
    let app: InstalledApp
    let entry: TraceEntry
    /// The number of its entry in the phone's ``OutstandingTasks``.
    let task: Int
    /// Answered once the app has been called, for the caller that handed over the push.
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

    /// Whether it shows nothing and only wakes its app.
    var isSilent: Bool { !content.aps.isVisible }
    var isWake: Bool { content.aps.contentAvailable }

    /// A step in handling the push; the steps run one after another.
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

    /// Returns whether the push is shown to the person; if not, with a note that gives the reason.
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
    ///   - random: generates an identifier.
    /// - Returns: the identifier of the notification in the list.
    func notificationID(_ rules: PhoneRules, random: () -> UUID) -> String {
        if let collapseID = push.collapseID, rules.keeps(.identifierIsCollapseID) { return collapseID }
        return rules.identifierIsAPNsID ? push.apnsID.uuidString : random().uuidString
    }
}
