import CarillonCore

/// What ``MessagePolicy/received(_:in:at:)`` wants done, in this order; carried out by ``MessageInterpreter``.
package enum MessageAction: Sendable, Hashable {
    /// Why notifications are removed: what is to be said once they are gone.
    package enum Removing: Sendable, Hashable {
        /// They are of these removals; that of a notice which stays is not confirmed.
        case ordered([PushRemoval], besides: MessageID?)
        /// The message may not be seen.
        case vetoed(PushMessage, MessagePolicy.Veto)
        /// It was added, and recalled or expired meanwhile.
        case overtaken(PushMessage)
        /// They were in the list and may not be.
        case old(recalled: [PushMessage], expired: [String])
        /// Nothing is to be said.
        case plain
    }

    /// Why the list is searched for a message.
    package enum Looking: Sendable, Hashable {
        /// It was shown if it is there.
        case toClaim
        /// It is added if it is not there.
        case toAdd(LocalNotification)
    }

    /// Why the list is read.
    package enum Reading: Sendable, Hashable {
        /// What is there was shown.
        case toClaim
        /// What may not be there goes.
        case toRemove
        /// The app's own code receives what it has not received.
        case toHandOver
    }

    /// Give the policy this event, when what comes before is done with all that follows from it.
    case then(MessageEvent)
    case remove([String], Removing)
    case add(LocalNotification, PushMessage)
    case look(PushMessage, Looking)
    case readList(Reading)
    /// Show this number on the app's icon, unless a newer one was shown before.
    case setBadge(Int, composedAt: Timestamp?)
    /// Write down what is known: what follows must not happen twice after a crash.
    case save
    /// Learn what the service extension has learnt.
    case takeOver
    /// Say this to whoever gave the event.
    case tell(MessageNotice)
}
