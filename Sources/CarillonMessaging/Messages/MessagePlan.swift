import CarillonCore

/// Steps that follow from a decision of ``MessagePolicy``, in their order; ``PlanRunner`` carries them out.
///
/// A step that asks iOS something carries what follows from the answer. So a decision stands in one place, and its order is
/// tested without a phone.
package struct MessagePlan: Sendable {
    /// Decides what follows from an answer of iOS.
    package typealias Next<Answer> = @Sendable (inout MessagePolicy, Answer, MessageMoment) -> MessagePlan

    package enum Step: Sendable {
        /// Removes notifications; the answer is those that are still in the list.
        case remove([String], then: Next<Set<String>>)
        /// Adds a notification; the answer is why iOS refuses it, or `nil`.
        case add(LocalNotification, then: Next<String?>)
        /// Searches the list for an identifier.
        case find(String, then: Next<DeliveredNotification?>)
        /// Searches the list for an identifier that iOS is about to add.
        case findNew(String, then: Next<DeliveredNotification?>)
        /// Reads the list, newest first.
        case readList(then: Next<[DeliveredNotification]>)
        /// Reads the notifications that wait for their time, as one that the app shows again later.
        case readPending(then: Next<[DeliveredNotification]>)
        /// Decides when everything before is done, with all that followed from it.
        case decide(Next<Void>)
        /// Shows a number on the app's icon, unless a newer one was shown before.
        case setBadge(Int, composedAt: Timestamp?)
        /// Writes down what is known, because what follows must not happen twice after a crash.
        case save
        /// Joins what the service extension has learnt.
        case takeOver
        /// Tells the caller.
        case tell(MessageNotice)
    }

    package private(set) var steps: [Step]

    init(_ steps: Step...) { self.steps = steps }

    /// There is nothing to do.
    static let nothing = MessagePlan()

    /// Removes notifications, of which nothing is to be said afterwards.
    static func removing(_ identifiers: [String]) -> MessagePlan {
        MessagePlan(.remove(identifiers) { _, _, _ in .nothing })
    }

    /// Removes all messages, as of a user who has signed out; others' notifications and the app's own stay.
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

/// The circumstances of a decision of ``MessagePolicy``, beside what it remembers; asked anew for each decision.
package struct MessageMoment: Sendable, Hashable {
    /// The phone's clock.
    package var now: Timestamp
    /// Whether removals are carried out; the default is `true`.
    package var carriesOutRecalls = true
    /// Whether the person has signed out and the service has not confirmed it; the default is `false`.
    package var signedOut = false
    /// Whether the service extension may let a notification not appear at all; the default is `false`.
    package var maySuppress = false

    package init(
        now: Timestamp, carriesOutRecalls: Bool = true, signedOut: Bool = false, maySuppress: Bool = false
    ) {
        self.now = now
        self.carriesOutRecalls = carriesOutRecalls
        self.signedOut = signedOut
        self.maySuppress = maySuppress
    }

    /// Whether a message is only the notice in the place of one that this phone can remove altogether.
    func removes(noticeIn message: PushMessage) -> Bool { message.isNotice && carriesOutRecalls }
}

/// A notice to the app or its service extension, while a ``MessagePlan`` is carried out.
package enum MessageNotice: Sendable, Hashable {
    /// Something new is there.
    case newData
    /// Something could not be done.
    case failed
    /// A developer should know of it.
    case report(CarillonEvent)
    /// The app's own code receives it.
    case handOver
    /// The app's own code receives these too, oldest first.
    case handOverAll([HandOvers.Key])
    /// Messages must go, and with them what the app shows of them itself.
    case removals([PushRemoval])
    /// These were in the list and may not be: with the reason of each tombstone, which is `nil` for what was read here.
    case old(recalled: [PushMessage], reasons: [Removal.Reason?], expired: [String])
    /// When the next message of the list expires; `nil` when none does.
    case nextExpiry(Timestamp?)
    /// How the service extension treats the alert.
    case treat(MessagePolicy.Treatment)
    /// The alert is a notice, which the extension lets disappear if it may.
    case isNotice
}
