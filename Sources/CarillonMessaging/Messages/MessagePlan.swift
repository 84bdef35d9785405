import CarillonCore

/// The ordered steps of a decision of ``MessagePolicy``; ``PlanRunner`` carries them out.
///
/// A step that asks iOS for something also holds the decision about iOS's answer. So each decision is in one place, and tests
/// check the order without a phone.
package struct MessagePlan: Sendable {
    /// Decides the next steps from an answer of iOS.
    package typealias Next<Answer> = @Sendable (inout MessagePolicy, Answer, MessageMoment) -> MessagePlan

    package enum Step: Sendable {
        /// Removes notifications.
        case remove([String], then: Next<RemovalOutcome>)
        /// Adds a notification; the answer is iOS's reason for refusing it, or `nil`.
        case add(LocalNotification, then: Next<String?>)
        /// Searches the list for an identifier.
        case find(String, then: Next<DeliveredNotification?>)
        /// Searches the list for an identifier that iOS is about to add.
        case findNew(String, then: Next<DeliveredNotification?>)
        /// Reads the list, newest first.
        case readList(then: Next<[DeliveredNotification]>)
        /// Reads the pending notifications, for example one that the app shows again later.
        case readPending(then: Next<[DeliveredNotification]>)
        /// Makes a decision after all earlier steps and their follow-up steps.
        case decide(Next<Void>)
        /// Shows a number on the app's icon, unless a newer one was shown before.
        case setBadge(Int, composedAt: Timestamp?)
        /// Saves the store, because later steps must not happen twice after a crash.
        case save
        /// Joins the changes of the service extension.
        case takeOver
        /// Sends a notice to the caller.
        case tell(MessageNotice)
    }

    package private(set) var steps: [Step]

    init(_ steps: Step...) { self.steps = steps }

    /// A plan without steps.
    static let nothing = MessagePlan()

    /// Makes a plan that removes notifications and takes no further steps.
    static func removing(_ identifiers: [String]) -> MessagePlan {
        MessagePlan(.remove(identifiers) { _, _, _ in .nothing })
    }

    /// Removes all of Carillon's messages, as when the user signs out; other notifications stay.
    package static let removingMessages = MessagePlan(
        .readList { _, list, _ in .removing(list.filter { $0.message != nil }.map(\.identifier)) },
        .readPending { _, pending, _ in .removing(pending.filter { $0.message != nil }.map(\.identifier)) })

    static func += (plan: inout MessagePlan, step: Step) { plan.steps.append(step) }

    static func += (plan: inout MessagePlan, other: MessagePlan) { plan.steps += other.steps }

    static func + (one: MessagePlan, other: MessagePlan) -> MessagePlan {
        var plan = one
        plan += other
        return plan
    }
}

/// The circumstances of a decision of ``MessagePolicy`` that are not in its memory; read anew for each decision.
package struct MessageMoment: Sendable, Hashable {
    /// The phone's time.
    package var now: Timestamp
    /// Whether removals are carried out; the default is `true`.
    package var carriesOutRecalls = true
    /// Whether the person has signed out and the service has not confirmed it; the default is `false`.
    package var signedOut = false
    /// Whether the service extension may suppress a notification; the default is `false`.
    package var maySuppress = false

    package init(
        now: Timestamp, carriesOutRecalls: Bool = true, signedOut: Bool = false, maySuppress: Bool = false
    ) {
        self.now = now
        self.carriesOutRecalls = carriesOutRecalls
        self.signedOut = signedOut
        self.maySuppress = maySuppress
    }

    /// Returns whether a message is only the notice of a recall, which this phone can remove instead of showing it.
    func removes(noticeIn message: PushMessage) -> Bool { message.isNotice && carriesOutRecalls }
}

/// A notice to the app or its service extension, while a ``MessagePlan`` is carried out.
package enum MessageNotice: Sendable, Hashable {
    /// The push brought new data.
    case newData
    /// A step has failed.
    case failed
    /// An event for the developer.
    case report(CarillonEvent)
    /// The push is to be handed to the app's own code.
    case handOver
    /// These listed notifications are to be handed to the app's own code too, oldest first.
    case handOverAll([HandOvers.Key])
    /// Messages are being removed; the app should remove its own views of them.
    case removals([PushRemoval])
    /// These messages are in the list and must leave it.
    ///
    /// `reasons` holds the reason of each recalled message's tombstone: `nil` if the person read the message on this phone.
    case old(recalled: [PushMessage], reasons: [Removal.Reason?], expired: [String])
    /// The time at which the next message of the list expires; `nil` if none does.
    case nextExpiry(Timestamp?)
    /// The treatment of the alert by the service extension.
    case treat(MessagePolicy.Treatment)
    /// The alert is the notice of a recall, which the extension suppresses if it may.
    case isNotice
}
