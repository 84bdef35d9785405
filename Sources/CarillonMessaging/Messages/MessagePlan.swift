import CarillonCore

/// The ordered steps that ``MessagePolicy`` has decided on; ``PlanRunner`` carries them out.
///
/// A step that asks iOS for something also contains the decision about what follows iOS's answer. So each decision is in one
/// place, and tests check the order without a phone. Two plans are equal if their steps ask for the same things and their
/// decisions have equal names and inputs.
package struct MessagePlan: Sendable, Hashable {
    package enum Step: Sendable, Hashable {
        /// Removes delivered and pending notifications.
        case remove([String], then: PlanDecision<RemovalOutcome>)
        /// Adds a notification; the answer is the reason why iOS refuses the notification, or `nil` if iOS accepts the
        /// notification.
        case add(LocalNotification, then: PlanDecision<String?>)
        /// Looks for a notification by its identifier among the delivered ones; the answer is `nil` if it is not there.
        case find(String, then: PlanDecision<DeliveredNotification?>)
        /// Waits for a notification that iOS is about to put into Notification Center.
        ///
        /// The notification is given by its identifier. The answer is `nil` if it does not appear.
        case findNew(String, then: PlanDecision<DeliveredNotification?>)
        /// Reads the delivered notifications, newest first.
        case readList(then: PlanDecision<[DeliveredNotification]>)
        /// Reads the pending notifications, for example one that the app has scheduled in order to show a message again later.
        case readPending(then: PlanDecision<[DeliveredNotification]>)
        /// Decides the next steps, when all earlier steps and the steps that followed from them are done.
        case decide(PlanDecision<Void>)
        /// Shows a number on the app's icon, unless the icon shows a number that the service computed later.
        ///
        /// `composedAt` is the time at which the service computed this number, by the service's clock. With `nil` the number is
        /// always shown.
        case setBadge(Int, composedAt: Timestamp?)
        /// Saves the store before the plan goes on.
        ///
        /// If the app crashes during the later steps, it then knows at the next launch that they have begun, and does not repeat
        /// them.
        case save
        /// Merges into the app's store the changes that the service extension has written to files.
        case takeOver
        /// Passes a ``MessageNotice`` to the caller of ``PlanRunner/run(_:tell:)``.
        case tell(MessageNotice)
    }

    package private(set) var steps: [Step]

    init(_ steps: Step...) { self.steps = steps }

    /// A plan without steps.
    static let nothing = MessagePlan()

    /// Makes a plan that removes notifications and takes no further steps.
    static func removing(_ identifiers: [String]) -> MessagePlan {
        MessagePlan(.remove(identifiers, as: "nothing more") { _, _, _ in .nothing })
    }

    /// A plan that removes the notifications of all messages, for a user who signs out; other notifications stay.
    package static let removingMessages = MessagePlan(
        .readList(then: removingListed), .readPending(then: removingListed))

    private static let removingListed = PlanDecision<[DeliveredNotification]>("remove all messages") { _, list, _ in
        .removing(list.filter { $0.message != nil }.map(\.identifier))
    }

    static func += (plan: inout MessagePlan, step: Step) { plan.steps.append(step) }

    static func += (plan: inout MessagePlan, other: MessagePlan) { plan.steps += other.steps }

    static func + (one: MessagePlan, other: MessagePlan) -> MessagePlan {
        var plan = one
        plan += other
        return plan
    }
}

/// The facts that a decision of ``MessagePolicy`` needs beside the policy's own state; they are read anew for each decision.
package struct MessageMoment: Sendable, Hashable {
    /// The phone's time.
    package var now: Timestamp
    /// Whether the app removes recalled messages from Notification Center; the default is `true`.
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
}

/// Information that ``PlanRunner`` passes to the app or to its service extension while it carries out a ``MessagePlan``.
package enum MessageNotice: Sendable, Hashable {
    /// The push brought new data.
    case newData
    /// A step of the plan has failed.
    case failed
    /// An event for the developer.
    case report(CarillonEvent)
    /// The app's own code must receive the message of the push.
    case handOver
    /// The app's own code has not received these delivered notifications and must receive them now, oldest first.
    ///
    /// The keys are those of the notifications in ``HandOvers``.
    case handOverAll([HandOvers.Key])
    /// Messages are being removed; the app should remove its own views of them.
    case removals([PushRemoval])
    /// The time at which the next message in Notification Center expires; `nil` if no message there expires.
    case nextExpiry(Timestamp?)
    /// The treatment that the service extension must give to the alert.
    case treat(AlertTreatment)

    /// The identifiers of the messages that are removed, according to this notice.
    package var removedIdentifiers: [String] {
        if case .removals(let removals) = self { removals.flatMap(\.identifiers) } else { [] }
    }
}
