import CarillonCore

/// Decisions that follow from the person's actions, and records of the messages that the app's own code receives.
extension MessagePolicy {
    // MARK: In the foreground

    /// The presentation of a notification that arrives while the app is in the foreground.
    package enum Presentation: Sendable, Hashable {
        /// The notification is shown as the app has configured it.
        case full
        /// The notification appears only in Notification Center, without banner and sound, because it was shown before.
        case quiet
        /// The notification is not shown.
        case nothing
    }

    /// Decides how iOS shows a notification while the app is in the foreground.
    ///
    /// The notification comes from an alert push or from the SDK.
    ///
    /// - Parameters:
    ///   - message: the notification's message.
    ///   - composedAt: the time at which the service composed the push, by the service's clock; `nil` if the push does not
    ///     contain it.
    ///   - moment: the phone's time, and the app's settings and sign-out state at that time.
    /// - Returns: the presentation.
    package mutating func presenting(
        _ message: PushMessage, composedAt: Timestamp?, _ moment: MessageMoment
    ) -> Presentation {
        if moment.removes(noticeIn: message) { return .nothing }
        let entry = known[message.identifier]
        let wasSeen = entry?.wasPresented == true || entry?.hasClaimed(.shown) == true
        let isQuiet = wasSeen || entry?.quietAttempt == message.attempt
        let isRepeated =
            message.messageID != nil
            && entry.map { $0.revision > message.revision || ($0.revision == message.revision && isQuiet) } == true
        if let composedAt { time.heardComposed(composedAt) }
        record(message, at: moment.now)
        guard mayBeSeen(message, at: moment.now) else {
            wasWithheld(message, at: moment.now)
            return .nothing
        }
        known.handedToSystem(message.identifier)
        guard isRepeated else {
            known.presented(message.identifier)
            return .full
        }
        known.quietened(message.identifier, attempt: message.attempt)
        return .quiet
    }

    /// Returns a plan that removes a notification from Notification Center after the app, in the foreground, did not let iOS
    /// show it.
    package func notPresented(_ identifier: String) -> MessagePlan { .removing([identifier]) }

    /// Returns a plan that waits until a foreground notification is in Notification Center, and then writes its `shown` receipt.
    ///
    /// The plan writes no receipt if the notification never gets into Notification Center, because the app has narrowed the
    /// presentation options or the person has switched alerts off.
    package func presented(_ identifier: String, attempt: Int) -> MessagePlan {
        MessagePlan(
            .findNew(identifier) { policy, found, moment in
                if let found {
                    policy.wasShown(identifier, attempt: attempt, delivered: found.alertedAt, at: moment.now)
                }
                return .nothing
            })
    }

    // MARK: The person

    /// Records the person's response to a notification, and writes the receipts about this response.
    package mutating func responded(_ message: PushMessage, _ reaction: MessageReaction, _ moment: MessageMoment) {
        record(message, at: moment.now)
        if reaction.isReading { wasRead(message, at: moment.now) }
        switch reaction.kind {
        case .open: break
        case .dismiss: claim(.dismissed, of: message.identifier, at: moment.now)
        case .act(let name, let text):
            claim(
                .acted, of: message.identifier, detail: name, reply: message.keepsReplies ? text : nil,
                at: moment.now)
        }
    }

    /// Records that the person has read a message inside the app.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - identifiers: the identifiers that the message may have in Notification Center.
    ///   - moment: the phone's time, and the app's settings and sign-out state at that time.
    /// - Returns: a plan that removes the message's notification.
    package mutating func readInApp(
        _ message: PushMessage, identifiers: [String], _ moment: MessageMoment
    ) -> MessagePlan {
        wasRead(message, at: moment.now)
        return MessagePlan(
            .remove(identifiers) { policy, outcome, moment in
                policy.claimShown(outcome.found, moment)
                return .nothing
            })
    }

    /// Writes the `opened` receipt of a message that was read, and adds a record to ``Tombstones`` that stops late deliveries.
    ///
    /// A message that another push provider sent gets no such record, because the provider may use the id again for its next
    /// message.
    mutating func wasRead(_ message: PushMessage, at phoneNow: Timestamp) {
        if message.messageID != nil {
            tombstones.set(message.removalName, revision: message.revision, reason: nil, at: time.now(phoneNow))
        }
        claim(.opened, of: message.identifier, at: phoneNow)
    }

    /// Forgets the messages of the user who has signed out.
    ///
    /// ``Tombstones`` and unsent receipts contain no texts and are kept. A late push that was composed before the sign-out is not
    /// shown.
    package mutating func signOut(at phoneNow: Timestamp) { forgetMessages(signedOutAt: time.now(phoneNow)) }

    // MARK: The app's own code

    /// Returns whether the app's own code may receive the alert that launched the app.
    package func mayReachApp(launchedFor message: PushMessage, _ moment: MessageMoment) -> Bool {
        !moment.removes(noticeIn: message) && mayBeSeen(message, at: moment.now)
    }

    /// Records that the app's own code receives a push that came through the app delegate.
    ///
    /// - Parameters:
    ///   - message: the push's message; `nil` for a push without a message id.
    ///   - payload: identifies a push without a message id.
    ///   - moment: the phone's time, and the app's settings and sign-out state at that time.
    /// - Returns: whether the app receives the message for the first time.
    package mutating func reachesApp(
        _ message: PushMessage?, payload: [String: JSONValue], _ moment: MessageMoment
    ) -> Bool {
        if let message { record(message, at: moment.now) }
        return reachesApp(message, payload: payload)
    }

    /// Records that the app's own code receives a push; returns whether the app receives the message for the first time.
    mutating func reachesApp(_ message: PushMessage?, payload: [String: JSONValue]) -> Bool {
        if let message { return known.reachesApp(message.identifier) }
        return unnamed.reportedByApplication(digest: UnidentifiedMessages.digest(payload))
    }

    /// Records that the app's own code receives a notification that `UNUserNotificationCenter` has reported.
    ///
    /// - Parameters:
    ///   - identifier: the notification's identifier.
    ///   - payload: identifies a push without a message id.
    /// - Returns: whether the app receives the message for the first time.
    package mutating func reachesApp(shown identifier: String, payload: [String: JSONValue]) -> Bool {
        if known[identifier] != nil { return known.reachesApp(identifier) }
        return unnamed.reportedByCenter(identifier: identifier, digest: UnidentifiedMessages.digest(payload))
    }
}

/// The person's response to a notification.
package struct MessageReaction: Sendable, Hashable {
    /// The kinds of responses to a notification.
    package enum Kind: Sendable, Hashable, Codable {
        // The names of cases and labels are keys of the store's files.

        /// The person tapped the notification itself.
        case open
        /// The person swiped the notification away.
        case dismiss
        /// The person chose a button, and typed `text` if the button asks for text.
        case act(String, text: String?)
    }

    package var kind: Kind
    /// Whether the message now counts as read.
    package var isReading: Bool

    package init(_ kind: Kind, isReading: Bool) {
        self.kind = kind
        self.isReading = isReading
    }
}
