import CarillonCore

/// Something that has happened to the messages on this phone, to be given to ``MessagePolicy/received(_:in:at:)``.
package enum MessageEvent: Sendable, Hashable {
    // MARK: What iOS, the person and the service do

    /// A push has woken the app.
    case pushed(PushInstructions)
    /// The message of a push has arrived, its removals having been carried out.
    case arrived(PushMessage, composedAt: Timestamp?)
    /// The service extension was given an alert, which iOS is about to show.
    ///
    /// The message, if there is one, has the notification's identifier.
    case alerted(PushMessage?, PushInstructions)
    /// The removals of an alert were carried out: what becomes of its message?
    case aboutToShow(PushMessage, composedAt: Timestamp?)
    /// iOS asks how to show a notification in the foreground.
    case presenting(PushMessage, composedAt: Timestamp?)
    /// A notification in the foreground is not shown.
    case notPresented(identifier: String)
    /// A notification was shown in the foreground, and the person allows that.
    case presented(identifier: String, attempt: Int)
    /// Removals have come, with a push or with an answer of the service.
    ///
    /// A notice that appears stands where its message stood, so that message's removal is not confirmed.
    case removalsCame([PushRemoval], besides: MessageID?)
    /// The person did something with a notification.
    case responded(PushMessage, MessageReaction)
    /// The person has read a message inside the app; the names are those that it may have in the list.
    case readInApp(PushMessage, identifiers: [String])
    /// The app was launched, or enters the foreground.
    case reconciling
    /// Something in the list may have expired, or may have come after its recall.
    case listMayBeOld
    /// The app was launched for this message's alert.
    case launched(PushMessage)
    /// The app's own code is about to receive a push that the app delegate was given.
    case reachingApp(PushMessage?, payload: [String: JSONValue])
    /// The app's own code is about to receive a notification that the notification center has reported.
    case reachingAppShown(identifier: String, payload: [String: JSONValue])
    /// The person has signed out.
    case signedOut

    // MARK: What has become of an action

    /// Notifications were removed, but for those that are still in the list.
    case removed(MessageAction.Removing, left: Set<String>)
    /// iOS has accepted the message's notification.
    case added(PushMessage)
    /// What the extension has learnt meanwhile is known, of a message whose notification was added.
    case mayHaveBeenOvertaken(PushMessage)
    /// iOS has refused the message's notification.
    case notAdded(PushMessage, reason: String)
    /// The list was searched for the message's notification.
    case looked(PushMessage, MessageAction.Looking, found: DeliveredNotification?)
    /// The list was read, newest first.
    case listed([DeliveredNotification], MessageAction.Reading)
}
