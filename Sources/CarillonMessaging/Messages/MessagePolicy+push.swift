import CarillonCore

/// Decisions about an arriving message: in a push that wakes the app, or as an alert in the service extension.
extension MessagePolicy {
    /// Processes a push that has woken the app: first its removals, then its message.
    ///
    /// The plan also removes outdated messages from Notification Center.
    package mutating func pushed(_ push: PushInstructions, _ moment: MessageMoment) -> MessagePlan {
        var plan = removalsCame(push.removals, moment)
        if !push.removals.isEmpty { plan += .tell(.newData) }
        if let message = push.message {
            plan += .decide(as: "arrive", message) { policy, _, moment in policy.arrived(message, moment) }
        } else if push.dialect == .foreign {
            plan += .tell(.handOver)
        }
        return plan + numberCame(push.badge, composedAt: push.composedAt, moment) + listMayBeOld()
    }

    /// Processes an answer of the service: first its removals, then the user's number of unread messages.
    ///
    /// - Parameters:
    ///   - answer: the answer.
    ///   - alert: the id of the message that iOS is about to show; its removal must not be confirmed. The default is none.
    ///   - moment: the phone's time, and the app's settings and sign-out state at that time.
    /// - Returns: a plan that removes the messages, confirms the successful removals and sets the badge.
    package mutating func answered(
        _ answer: SyncAnswer, before alert: MessageID? = nil, _ moment: MessageMoment
    ) -> MessagePlan {
        removalsCame(answer.removals.map(PushRemoval.init), besides: alert, moment)
            + numberCame(answer.unread, composedAt: answer.now, moment)
    }

    /// Sets the badge, unless the number is that of a user who has signed out.
    private func numberCame(_ number: Int?, composedAt: Timestamp?, _ moment: MessageMoment) -> MessagePlan {
        guard let number, isForThisUser(composedAt: composedAt, signedOut: moment.signedOut) else { return .nothing }
        return MessagePlan(.setBadge(number, composedAt: composedAt))
    }

    /// Decides whether to download the attachment of a silent message: only if the message would be shown now.
    ///
    /// - Parameters:
    ///   - message: the push's message.
    ///   - moment: the phone's time, and the app's settings and sign-out state at that time.
    /// - Returns: whether the message would be shown if it had just arrived.
    package func wouldShow(_ message: PushMessage, _ moment: MessageMoment) -> Bool {
        guard case .local = message.presentation else { return false }
        switch verdict(on: message, moment) {
        case .new: return true
        case .formerUser, .notice, .recalled, .read, .expired, .stale, .repeated: return false
        }
    }

    /// Processes an alert in the service extension before iOS shows it.
    ///
    /// - Parameters:
    ///   - message: the push's message, with the notification's identifier; `nil` if the push has no message.
    ///   - push: the push's instructions.
    ///   - moment: the phone's time, and the app's settings and sign-out state at that time.
    /// - Returns: a plan that tells the extension how to treat the alert, with ``MessageNotice/treat(_:)``.
    package mutating func alerted(
        _ message: PushMessage?, _ push: PushInstructions, _ moment: MessageMoment
    ) -> MessagePlan {
        let notice = message.flatMap { $0.isNotice && !moment.maySuppress ? $0.messageID : nil }
        let plan = removalsCame(push.removals, besides: notice, moment)
        guard let message else { return plan }
        return plan
            + MessagePlan(
                .decide(as: "treat", message) { .init(.tell(.treat($0.aboutToShow(message, $2)))) })
    }

    // MARK: In the app

    private mutating func arrived(_ message: PushMessage, _ moment: MessageMoment) -> MessagePlan {
        // Another sender's silent push reaches the app once, so a known id means a new message.
        if message.messageID == nil, case .local = message.presentation { known.forget(message.identifier) }
        let verdict = record(message, moment)
        switch verdict {
        case .notice, .stale: return .nothing
        case .formerUser, .recalled, .read, .expired:
            claim(.received, of: message.identifier, at: moment.now)
            // Other senders reuse their short ids, so one tombstone stops one message.
            if message.messageID == nil { tombstones.remove(message.removalName) }
            return keepingAway(message, verdict, .arrivedLate)
        case .repeated(let wasShown): return delivered(message, wasShown: wasShown, moment)
        case .new: return delivered(message, wasShown: nil, moment)
        }
    }

    /// Decides how a message that may be seen is shown, and writes its `received` receipt.
    ///
    /// - Parameters:
    ///   - message: the message as received.
    ///   - wasShown: whether an earlier delivery was surely shown; `nil` if this is the first delivery.
    ///   - moment: the phone's time, and the app's settings and sign-out state at that time.
    /// - Returns: a plan that shows the message, if iOS does not do so, and hands it to the app.
    private mutating func delivered(_ message: PushMessage, wasShown: Bool?, _ moment: MessageMoment) -> MessagePlan {
        claim(.received, of: message.identifier, at: moment.now)
        switch message.presentation {
        case .bySystem:
            return MessagePlan(.tell(.newData), .find(message.identifier, then: .claimShown), .tell(.handOver))
        case .inApp, .nothing: return MessagePlan(.tell(.handOver))
        case .local(let notification):
            guard wasShown != true else { return .nothing }
            known.handedToSystem(message.identifier)
            guard wasShown == false else { return MessagePlan(.tell(.newData)) + show(notification, message) }
            known.quietened(message.identifier, attempt: message.attempt)
            return MessagePlan(
                .find(message.identifier, as: "show if gone", notification, message) { policy, found, moment in
                    guard let found else { return policy.show(notification.quietened(), message) }
                    policy.claimShown([found], moment)
                    return .nothing
                }, .tell(.handOver))
        }
    }

    /// Returns a plan that removes the notification of a message that may not be seen, if iOS shows it.
    ///
    /// If the notification is gone then, the plan writes the receipt of the verdict.
    private func keepingAway(
        _ message: PushMessage, _ verdict: MessageVerdict, _ reason: ExpiryGuard.Reason
    ) -> MessagePlan {
        MessagePlan(
            .remove([message.identifier], as: "keep away", message, verdict, reason) { policy, outcome, moment in
                policy.claimShownAgain(outcome.found, moment)
                guard outcome.left.isEmpty else { return MessagePlan(.tell(.failed)) }
                policy.recordWithheld(message, verdict, reason, at: moment.now)
                return .nothing
            })
    }

    /// Returns a plan that adds a notification after saving the store, so that a crash does not lead to a second alert.
    private func show(_ notification: LocalNotification, _ message: PushMessage) -> MessagePlan {
        MessagePlan(
            .save,
            .add(notification, as: "added", message) { policy, refusal, _ in
                if let refusal {
                    policy.couldNotBeShown(message.identifier)
                    return MessagePlan(
                        .tell(.failed),
                        .tell(.report(.notificationFailed(identifier: message.identifier, reason: refusal))))
                }
                return policy.wasAdded(message)
            })
    }

    /// Returns a plan that checks a message again after iOS has added its notification.
    ///
    /// The service extension may have received the message's recall meanwhile.
    private func wasAdded(_ message: PushMessage) -> MessagePlan {
        MessagePlan(
            .takeOver,
            .decide(as: "decide again", message) { policy, _, moment in
                let verdict = policy.verdict(on: message, moment)
                switch verdict {
                case .formerUser, .notice, .recalled, .read, .expired:
                    return policy.keepingAway(message, verdict, .removedFromScreen)
                case .stale: return .nothing
                case .repeated, .new:
                    return MessagePlan(.find(message.identifier, then: .claimShown), .tell(.handOver))
                }
            })
    }

    /// Writes a second `shown` receipt for each message that alerted the person again after an earlier showing.
    private mutating func claimShownAgain(_ found: [DeliveredNotification], _ moment: MessageMoment) {
        claimShown(found.filter { known[$0.identifier]?.hasClaimed(.shown) == true }, moment)
    }

    // MARK: In the service extension

    /// Decides how the service extension treats an alert that iOS is about to show, and writes the alert's receipts.
    private mutating func aboutToShow(_ message: PushMessage, _ moment: MessageMoment) -> AlertTreatment {
        let verdict = record(message, moment)
        if verdict != .notice, verdict != .stale { claim(.received, of: message.identifier, at: moment.now) }
        switch verdict {
        case .notice: return .notice
        case .formerUser, .recalled, .read, .expired: return withhold(message, verdict, moment)
        case .stale: return .quiet
        case .repeated:
            known.quietened(message.identifier, attempt: message.attempt)
            return .quiet
        case .new:
            known.handedToSystem(message.identifier)
            return .asItIs
        }
    }

    /// Decides about an alert once more, after the extension has waited for a file or for the service.
    ///
    /// - Parameters:
    ///   - message: the alert's message, which the extension was going to show.
    ///   - moment: the phone's time, and the app's settings and sign-out state at that time.
    /// - Returns: how the extension treats the alert after all; `nil` if nothing has changed.
    package mutating func alertedAgain(_ message: PushMessage, _ moment: MessageMoment) -> AlertTreatment? {
        let verdict = verdict(on: message, moment)
        switch verdict {
        case .formerUser, .recalled, .read, .expired: return withhold(message, verdict, moment)
        case .stale: return .quiet
        case .notice, .repeated, .new: return nil
        }
    }

    private mutating func withhold(
        _ message: PushMessage, _ verdict: MessageVerdict, _ moment: MessageMoment
    ) -> AlertTreatment {
        // Other senders reuse their short ids, so one tombstone stops one message.
        if message.messageID == nil { tombstones.remove(message.removalName) }
        // A replaced text stays in Notification Center. The recall is confirmed when the app has removed the notification.
        if moment.maySuppress || verdict == .expired { recordWithheld(message, verdict, .blanked, at: moment.now) }
        return .withhold
    }
}

/// The service extension's treatment of an alert that iOS is about to show.
package enum AlertTreatment: Sendable, Hashable {
    /// The alert is shown unchanged.
    case asItIs
    /// The alert is shown without banner and sound, because it is a second delivery.
    case quiet
    /// The alert is suppressed, or a replacement text is shown instead of its content.
    case withhold
    /// The alert only says that a message was recalled; it is suppressed, or shown unchanged.
    case notice
}

extension PlanDecision<DeliveredNotification?> {
    /// Writes the `shown` receipt of a message that was looked for, if Notification Center contains it.
    static var claimShown: Self {
        Self("claim shown") { policy, found, moment in
            policy.claimShown([found].compactMap(\.self), moment)
            return .nothing
        }
    }
}
