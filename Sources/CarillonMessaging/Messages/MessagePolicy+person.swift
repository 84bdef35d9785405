import CarillonCore

/// Decisions that follow from the person's actions, and records of the messages that the app's own code receives.
extension MessagePolicy {
    // MARK: In the foreground

    /// Decides how iOS shows a notification while the app is in the foreground.
    ///
    /// The notification comes from an alert push or from the SDK.
    ///
    /// - Parameters:
    ///   - message: the notification's message.
    ///   - moment: the phone's time, and the app's settings and sign-out state at that time.
    /// - Returns: the presentation.
    package mutating func presenting(_ message: PushMessage, _ moment: MessageMoment) -> ForegroundPresentation {
        let verdict = record(message, moment)
        switch verdict {
        case .notice: return moment.carriesOutRecalls ? .nothing : .full
        case .formerUser, .recalled, .read, .expired:
            recordWithheld(message, verdict, .arrivedLate, at: moment.now)
            return .nothing
        case .stale: return .quiet
        case .repeated(let wasShown):
            let entry = known[message.identifier]
            // The extension and the SDK record the alert before iOS asks how to show it.
            guard wasShown || entry?.wasPresented == true || entry?.quietAttempt == message.attempt else { break }
            known.quietened(message.identifier, attempt: message.attempt)
            return .quiet
        case .new: break
        }
        known.handedToSystem(message.identifier)
        known.presented(message.identifier)
        return .full
    }

    /// Returns a plan that removes a notification from Notification Center after the app, in the foreground, did not let iOS
    /// show it.
    package func notPresented(_ identifier: String) -> MessagePlan { .removing([identifier]) }

    /// Returns a plan that waits until a foreground notification is in Notification Center, and then writes its `shown` receipt.
    ///
    /// The plan writes no receipt if the notification never gets into Notification Center, because the app has narrowed the
    /// presentation options or the person has switched alerts off.
    package func presented(_ identifier: String) -> MessagePlan {
        MessagePlan(.findNew(identifier, then: .claimShown))
    }

    // MARK: The person

    /// Records the person's response to a notification, and writes the receipts about this response.
    ///
    /// - Parameters:
    ///   - message: the notification's message.
    ///   - reaction: the person's response.
    ///   - moment: the phone's time, and the app's settings and sign-out state at that time.
    /// - Returns: whether the app's own code may receive the response and its message; and what the person has read, if anything.
    package mutating func responded(
        _ message: PushMessage, _ reaction: MessageReaction, _ moment: MessageMoment
    ) -> (isForApp: Bool, reading: MessageReading?) {
        let verdict = record(message, moment)
        guard verdict.mayReachApp else {
            recordWithheld(message, verdict, .removedFromScreen, at: moment.now)
            return (false, nil)
        }
        let reading = reaction.isReading ? read(message, at: moment.now) : nil
        switch reaction.kind {
        case .open: break
        case .dismiss: claim(.dismissed, of: message.identifier, at: moment.now)
        case .act(let name, let text):
            claim(
                .acted, of: message.identifier, detail: name, reply: message.keepsReplies ? text : nil,
                at: moment.now)
        }
        return (true, reading)
    }

    /// Records that the person has read a message inside the app.
    ///
    /// - Parameters:
    ///   - id: the message's id.
    ///   - listed: the message's revision in the inbox; 1 if the message is not there.
    ///   - moment: the phone's time, and the app's settings and sign-out state at that time.
    /// - Returns: a plan that removes the message's notification, and what the person has read.
    package mutating func readInApp(
        _ id: MessageID, listed: Int, _ moment: MessageMoment
    ) -> (plan: MessagePlan, reading: MessageReading?) {
        let identifiers = PushRemoval(identifier: id.rawValue, messageID: id).identifiers
        let name = identifiers.first { known[$0] != nil } ?? id.rawValue
        let message = PushMessage(
            identifier: name, messageID: id, presentation: .nothing, revision: max(listed, known[name]?.revision ?? 1))
        let plan = MessagePlan(
            .remove(identifiers, as: "remove what was read") { policy, outcome, moment in
                policy.claimShown(outcome.found, moment)
                return .nothing
            })
        return (plan, read(message, at: moment.now))
    }

    /// Records that the person has read a message: writes its `opened` receipt, and adds a record to ``Tombstones`` that stops
    /// late deliveries.
    ///
    /// A message that another push provider sent gets no such record, because the provider may use the id again for its next
    /// message.
    ///
    /// - Returns: what the service and the inbox must learn; `nil` for another provider's message.
    mutating func read(_ message: PushMessage, at phoneNow: Timestamp) -> MessageReading? {
        // A receipt is about the newest version that this phone knows.
        let isNewest = known[message.identifier]?.revision == message.revision
        if isNewest { claim(.opened, of: message.identifier, at: phoneNow) }
        guard let id = message.messageID else { return nil }
        let (name, now) = (message.removalName, time.now(phoneNow))
        // The service still waits for the confirmation of a removal that it has asked for.
        let reason = tombstones.contains(name, revision: message.revision, at: now) ? tombstones.reason(name) : nil
        tombstones.set(name, revision: message.revision, reason: reason, at: now)
        return MessageReading(id: id, revision: message.revision, hasReceipt: isNewest && writesReceipts)
    }

    /// Forgets the messages of the user who has signed out.
    ///
    /// ``Tombstones`` and unsent receipts contain no texts and are kept. A late push that was composed before the sign-out is not
    /// shown.
    package mutating func signOut(at phoneNow: Timestamp) { forgetMessages(signedOutAt: time.now(phoneNow)) }

    /// Records the time at which the service has signed the user out: it composed later pushes for the next user, and earlier
    /// ones for the former user.
    package mutating func signOutConfirmed(at serviceNow: Timestamp) { signedOutAt = serviceNow }

    // MARK: The app's own code

    /// Returns whether the app's own code may receive the alert that launched the app.
    package func mayReachApp(launchedFor message: PushMessage, _ moment: MessageMoment) -> Bool {
        verdict(on: message, moment).mayReachApp
    }

    /// Drops waiting messages that may no longer be seen.
    ///
    /// A message that the person has read while it waited is not dropped. A response stays, because the person gave it when the
    /// message could be seen.
    ///
    /// - Returns: the keys of everything that still waits for the app's handlers, oldest first.
    package mutating func waiting(_ moment: MessageMoment) -> [HandOvers.Key] {
        for key in handOvers.keys where !mayReachApp(waiting: key, moment) { handOvers.remove(key) }
        return handOvers.keys
    }

    /// Returns whether the app's own code may receive what waits under a key; ask again right before the handler is called.
    package func mayReachApp(waiting key: HandOvers.Key, _ moment: MessageMoment) -> Bool {
        guard let item = handOvers[key] else { return false }
        guard item.reaction == nil, let message = item.message else { return true }
        return verdict(on: message, moment).mayReachApp
    }

    /// Records that the app's own code receives a push that came through the app delegate.
    ///
    /// - Parameters:
    ///   - message: the push's message; `nil` for a push without a message id.
    ///   - payload: identifies a push without a message id.
    ///   - moment: the phone's time, and the app's settings and sign-out state at that time.
    /// - Returns: whether the app receives the message for the first time.
    package mutating func markReachedApp(
        _ message: PushMessage?, payload: [String: JSONValue], _ moment: MessageMoment
    ) -> Bool {
        if let message { record(message, at: moment.now) }
        return markReachedApp(message, payload: payload)
    }

    /// Records that the app's own code receives a push; returns whether the app receives the message for the first time.
    mutating func markReachedApp(_ message: PushMessage?, payload: [String: JSONValue]) -> Bool {
        if let message { return known.markReachedApp(message.identifier, revision: message.revision) }
        return unnamed.markReportedByApplication(digest: UnidentifiedMessages.digest(payload))
    }

    /// Records that the app's own code receives a notification that `UNUserNotificationCenter` has reported.
    ///
    /// - Parameters:
    ///   - name: the notification's identifier.
    ///   - revision: the message's revision; `nil` if the notification has no message.
    ///   - payload: identifies a push without a message id.
    /// - Returns: whether the app receives the message for the first time.
    package mutating func markReachedApp(shown name: String, revision: Int?, payload: [String: JSONValue]) -> Bool {
        if known[name] != nil { return known.markReachedApp(name, revision: revision) }
        return unnamed.markReportedByCenter(identifier: name, digest: UnidentifiedMessages.digest(payload))
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

/// A message that the person has read, as the inbox and the service must learn of it.
package struct MessageReading: Sendable, Hashable {
    package var id: MessageID
    /// The newest revision that the person has seen.
    package var revision: Int
    /// Whether an `opened` receipt reports the reading to the service.
    package var hasReceipt: Bool

    package init(id: MessageID, revision: Int, hasReceipt: Bool) {
        self.id = id
        self.revision = revision
        self.hasReceipt = hasReceipt
    }
}

/// The presentation of a notification that arrives while the app is in the foreground.
package enum ForegroundPresentation: Sendable, Hashable {
    /// The notification is shown as the app has configured it.
    case full
    /// The notification appears only in Notification Center, without banner and sound, because it was shown before.
    case quiet
    /// The notification is not shown.
    case nothing
}
