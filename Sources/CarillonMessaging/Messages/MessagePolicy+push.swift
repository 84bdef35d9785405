import CarillonCore

/// Decisions about an arriving message: in a push that wakes the app, or as an alert in the service extension.
extension MessagePolicy {
    /// Processes a push that has woken the app: first its removals, then its message.
    ///
    /// The plan also removes outdated messages from Notification Center.
    package mutating func pushed(_ push: PushInstructions, _ moment: MessageMoment) -> MessagePlan {
        var plan = removalsCame(push.removals, moment)
        if !push.removals.isEmpty { plan += .tell(.newData) }
        if let message = push.message, !moment.removes(noticeIn: message) {
            plan += .decide { policy, _, moment in policy.arrived(message, composedAt: push.composedAt, moment) }
        } else if push.dialect == .foreign {
            plan += .tell(.handOver)
        }
        return plan + numberCame(push.badge, composedAt: push.composedAt, moment) + listMayBeOld()
    }

    /// Processes an answer of the service: first its removals, then the user's number of unread messages.
    ///
    /// - Parameters:
    ///   - answer: the answer.
    ///   - moment: the phone's time, and the app's settings and sign-out state at that time.
    /// - Returns: a plan that removes the messages, confirms the successful removals and sets the badge.
    package mutating func answered(_ answer: SyncAnswer, _ moment: MessageMoment) -> MessagePlan {
        removalsCame(answer.removals.map(PushRemoval.init), moment)
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
    ///   - composedAt: the time at which the service composed the push, by the service's clock; `nil` if the push does not
    ///     contain it.
    ///   - moment: the phone's time, and the app's settings and sign-out state at that time.
    /// - Returns: whether the message would be shown if it had just arrived.
    package func wouldShow(_ message: PushMessage, composedAt: Timestamp?, _ moment: MessageMoment) -> Bool {
        guard case .local = message.presentation, !moment.removes(noticeIn: message) else { return false }
        return isForThisUser(composedAt: composedAt, signedOut: moment.signedOut) && !isRepeated(message)
            && mayBeSeen(message, at: moment.now)
    }

    /// Processes an alert in the service extension before iOS shows it.
    ///
    /// - Parameters:
    ///   - message: the push's message, with the notification's identifier; `nil` if the push has no message.
    ///   - push: the push's instructions.
    ///   - moment: the phone's time, and the app's settings and sign-out state at that time.
    /// - Returns: a plan that tells the extension how to treat the alert: ``MessageNotice/treat(_:)`` or
    ///   ``MessageNotice/isNotice``.
    package mutating func alerted(
        _ message: PushMessage?, _ push: PushInstructions, _ moment: MessageMoment
    ) -> MessagePlan {
        let notice = message.flatMap { $0.isNotice && !moment.maySuppress ? $0.messageID : nil }
        var plan = removalsCame(push.removals, besides: notice, moment)
        guard let message else { return plan }
        if message.isNotice {
            plan += .tell(.isNotice)
        } else {
            plan += .decide { policy, _, moment in policy.aboutToShow(message, composedAt: push.composedAt, moment) }
        }
        return plan
    }

    // MARK: In the app

    private mutating func arrived(
        _ message: PushMessage, composedAt: Timestamp?, _ moment: MessageMoment
    ) -> MessagePlan {
        let arrival = arrival(of: message, composedAt: composedAt, signedOut: moment.signedOut, at: moment.now)
        claim(.received, of: message.identifier, at: moment.now)
        switch arrival {
        case .show(let notification): return MessagePlan(.tell(.newData)) + show(notification, message)
        case .showUnlessThere(let notification):
            return MessagePlan(
                .find(message.identifier) { policy, found, moment in
                    guard let found else { return policy.show(notification, message) }
                    policy.wasShown(message, found, moment)
                    return .nothing
                }, .tell(.handOver))
        case .shownBySystem: return MessagePlan(.tell(.newData), claimShown(message), .tell(.handOver))
        case .handOver: return MessagePlan(.tell(.handOver))
        case .repeated: return .nothing
        case .veto(let veto):
            return MessagePlan(
                .remove([message.identifier]) { policy, outcome, moment in
                    policy.claimShownAgain(outcome.found, moment)
                    if outcome.left.isEmpty { policy.wasKeptAway(message, veto, at: moment.now) }
                    return .nothing
                })
        }
    }

    /// Returns a plan that adds a notification after saving the store, so that a crash does not lead to a second alert.
    private func show(_ notification: LocalNotification, _ message: PushMessage) -> MessagePlan {
        MessagePlan(
            .save,
            .add(notification) { policy, refusal, _ in
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
            .decide { policy, _, moment in
                if policy.mayBeSeen(message, at: moment.now) {
                    return MessagePlan(policy.claimShown(message), .tell(.handOver))
                }
                return MessagePlan(
                    .remove([message.identifier]) { _, outcome, _ in
                        MessagePlan(.tell(outcome.left.isEmpty ? .handOver : .failed))
                    })
            })
    }

    /// Returns a step that looks for a message in Notification Center, and writes its `shown` receipt if the message is there.
    private func claimShown(_ message: PushMessage) -> MessagePlan.Step {
        .find(message.identifier) { policy, found, moment in
            if let found { policy.wasShown(message, found, moment) }
            return .nothing
        }
    }

    /// Writes a second `shown` receipt for each message that alerted the person again after an earlier showing.
    private mutating func claimShownAgain(_ found: [DeliveredNotification], _ moment: MessageMoment) {
        claimShown(found.filter { known[$0.identifier]?.hasClaimed(.shown) == true }, moment)
    }

    private mutating func wasShown(
        _ message: PushMessage, _ found: DeliveredNotification, _ moment: MessageMoment
    ) {
        wasShown(message.identifier, attempt: message.attempt, delivered: found.alertedAt, at: moment.now)
    }

    /// Writes the receipt of a message that was not shown.
    private mutating func wasKeptAway(_ message: PushMessage, _ veto: Veto, at phoneNow: Timestamp) {
        switch veto {
        case .expired: hasExpired(message.identifier, .arrivedLate, at: phoneNow)
        case .recalled: wasVetoed(message, at: phoneNow)
        case .signedOut: break
        }
    }

    /// The treatment of a message that has just arrived.
    enum Arrival: Sendable, Hashable {
        /// The SDK adds this notification.
        case show(LocalNotification)
        /// The message may have been shown before, so the SDK adds this notification without banner and sound.
        ///
        /// The SDK adds nothing if Notification Center already contains the message.
        case showUnlessThere(LocalNotification)
        /// iOS shows the notification of an alert push by itself.
        case shownBySystem
        /// Only the app's own code receives the message, because the sender wants it inside the app alone or the message has no
        /// text.
        case handOver
        /// The message must not be seen: its notification must be removed if iOS has shown it.
        case veto(Veto)
        /// The push repeats the delivery of a message that was shown before.
        case repeated
    }

    /// The reason why a message must not be seen.
    package enum Veto: Sendable, Hashable {
        /// The message was recalled or read, so a record in ``Tombstones`` stops it.
        case recalled
        /// The message has expired.
        case expired
        /// The person has signed out, and the service may not have learnt of it yet.
        case signedOut
    }

    /// Decides about a message that has come in a remote notification.
    ///
    /// - Parameters:
    ///   - message: the message as received.
    ///   - composedAt: the time at which the service composed the push, by the service's clock; `nil` if the push does not
    ///     contain it.
    ///   - signedOut: whether the person has signed out and the service has not confirmed it; the default is `false`.
    ///   - phoneNow: the phone's time.
    /// - Returns: the treatment of the message.
    mutating func arrival(
        of message: PushMessage, composedAt: Timestamp?, signedOut: Bool = false, at phoneNow: Timestamp
    ) -> Arrival {
        if let composedAt { time.heardComposed(composedAt) }
        let now = time.now(phoneNow)
        let isRepeated = isRepeated(message)
        let isStale = (known[message.identifier]?.revision ?? 0) > message.revision
        // Another sender's silent push reaches the app once, so a known id means a new message.
        if message.messageID == nil, case .local = message.presentation { known.forget(message.identifier) }
        known.record(message, at: now)
        if !isForThisUser(composedAt: composedAt, signedOut: signedOut) { return .veto(.signedOut) }
        if tombstones.contains(message.removalName, revision: message.revision, at: now) {
            // Other senders reuse their short ids, so one tombstone stops one message.
            if message.messageID == nil { tombstones.remove(message.removalName) }
            return .veto(.recalled)
        }
        if ExpiryGuard.hasExpired(until: message.until, at: now) { return .veto(.expired) }
        switch message.presentation {
        case .bySystem: return .shownBySystem
        case .inApp, .nothing: return .handOver
        case .local(let notification):
            if isStale || isRepeated && known[message.identifier]?.hasClaimed(.shown) == true { return .repeated }
            known.handedToSystem(message.identifier)
            guard isRepeated else { return .show(notification) }
            known.quietened(message.identifier, attempt: message.attempt)
            return .showUnlessThere(notification.quietened())
        }
    }

    // MARK: In the service extension

    private mutating func aboutToShow(
        _ message: PushMessage, composedAt: Timestamp?, _ moment: MessageMoment
    ) -> MessagePlan {
        let treatment = treatment(of: message, composedAt: composedAt, signedOut: moment.signedOut, at: moment.now)
        claim(.received, of: message.identifier, at: moment.now)
        switch treatment {
        case .withhold(.expired): hasExpired(message.identifier, .blanked, at: moment.now)
        case .withhold(.recalled):
            // A replaced text stays in Notification Center. The recall is confirmed when the app has removed the notification.
            if moment.maySuppress { wasVetoed(message, at: moment.now) }
        case .withhold(.signedOut), .asItIs, .quiet: break
        }
        return MessagePlan(.tell(.treat(treatment)))
    }

    /// The service extension's treatment of an alert that iOS is about to show.
    package enum Treatment: Sendable, Hashable {
        /// The alert is shown unchanged.
        case asItIs
        /// The alert is shown without banner and sound, because it is a second delivery.
        case quiet
        /// The alert is suppressed, or a replacement text is shown instead of its content, for this reason.
        case withhold(Veto)
    }

    /// Decides how the service extension treats an alert.
    ///
    /// - Parameters:
    ///   - message: the alert's message as received.
    ///   - composedAt: the time at which the service composed the push, by the service's clock; `nil` if the push does not
    ///     contain it.
    ///   - signedOut: whether the person has signed out and the service has not confirmed it.
    ///   - phoneNow: the phone's time.
    /// - Returns: the treatment of the alert.
    mutating func treatment(
        of message: PushMessage, composedAt: Timestamp?, signedOut: Bool, at phoneNow: Timestamp
    ) -> Treatment {
        let isRepeated = isRepeated(message)
        let arrival = arrival(of: message, composedAt: composedAt, signedOut: signedOut, at: phoneNow)
        if case .veto(let veto) = arrival { return .withhold(veto) }
        known.handedToSystem(message.identifier)
        if isRepeated { known.quietened(message.identifier, attempt: message.attempt) }
        return isRepeated ? .quiet : .asItIs
    }
}
