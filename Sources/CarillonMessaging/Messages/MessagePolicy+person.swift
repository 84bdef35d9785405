import CarillonCore

/// The person's side of a message, and the app's own code.
extension MessagePolicy {
    // MARK: In the foreground

    /// How a notification is shown that arrives while the app is in the foreground.
    package enum Presentation: Sendable, Hashable {
        /// As the app has configured it.
        case full
        /// In the list only: it was shown before.
        case quiet
        /// Not at all.
        case nothing
    }

    /// iOS asks how to show a notification in the foreground, whether it made it of an alert push or the SDK added it.
    ///
    /// - Parameters:
    ///   - message: the notification's.
    ///   - composedAt: the service's clock when it composed the push, if the push says so.
    ///   - moment: what else must be known.
    /// - Returns: how it is shown.
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

    /// A notification in the foreground is not shown: it is not to stay in the list either.
    package func notPresented(_ identifier: String) -> MessagePlan { .removing([identifier]) }

    /// The app has let a notification be shown in the foreground: it was, once it is in the list.
    ///
    /// Where the app has narrowed the answer, or the person has switched alerts off, it never is.
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

    /// The person did something with a notification.
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

    /// The person has read a message inside the app.
    ///
    /// - Parameters:
    ///   - message: what was read.
    ///   - identifiers: the names that it may have in the list.
    ///   - moment: what else must be known.
    /// - Returns: what removes its notification.
    package mutating func readInApp(
        _ message: PushMessage, identifiers: [String], _ moment: MessageMoment
    ) -> MessagePlan {
        wasRead(message, at: moment.now)
        return .removing(identifiers)
    }

    /// Writes the receipt of a message that the person has read, and sets a tombstone against late deliveries.
    ///
    /// Another sender's message gets none: its next one may have the same id.
    mutating func wasRead(_ message: PushMessage, at phoneNow: Timestamp) {
        if message.messageID != nil {
            tombstones.set(message.removalName, revision: message.revision, reason: nil, at: time.now(phoneNow))
        }
        claim(.opened, of: message.identifier, at: phoneNow)
    }

    /// The person has signed out: the user's messages are forgotten.
    ///
    /// Tombstones and receipts that wait hold no texts, and are kept. A push that was composed for the user before and
    /// comes late is not shown.
    package mutating func signOut(at phoneNow: Timestamp) { forgetMessages(signedOutAt: time.now(phoneNow)) }

    // MARK: The app's own code

    /// Whether the app's own code may receive the alert for which the app was launched.
    package func mayReachApp(launchedFor message: PushMessage, _ moment: MessageMoment) -> Bool {
        !moment.removes(noticeIn: message) && mayBeSeen(message, at: moment.now)
    }

    /// The app's own code is about to receive a push that the app delegate was given.
    ///
    /// - Parameters:
    ///   - message: `nil` for a push without an id.
    ///   - payload: identifies a push without an id.
    ///   - moment: what else must be known.
    /// - Returns: whether it receives the message for the first time.
    package mutating func reachesApp(
        _ message: PushMessage?, payload: [String: JSONValue], _ moment: MessageMoment
    ) -> Bool {
        if let message { record(message, at: moment.now) }
        return reachesApp(message, payload: payload)
    }

    /// Records that the app's own code receives a push; `true` for the first time.
    mutating func reachesApp(_ message: PushMessage?, payload: [String: JSONValue]) -> Bool {
        if let message { return known.reachesApp(message.identifier) }
        return unnamed.reportedByApplication(digest: UnidentifiedMessages.digest(payload))
    }

    /// The app's own code is about to receive a notification that the notification center has reported.
    ///
    /// - Parameters:
    ///   - identifier: of the notification.
    ///   - payload: identifies a push without an id.
    /// - Returns: whether it receives the message for the first time.
    package mutating func reachesApp(shown identifier: String, payload: [String: JSONValue]) -> Bool {
        if known[identifier] != nil { return known.reachesApp(identifier) }
        return unnamed.reportedByCenter(identifier: identifier, digest: UnidentifiedMessages.digest(payload))
    }
}

/// The person's response to a notification.
package struct MessageReaction: Sendable, Hashable {
    /// The kinds of reactions, as receipts tell them.
    package enum Kind: Sendable, Hashable, Codable {
        // The names of cases and labels are keys of the store's files.

        /// The notification itself was tapped.
        case open
        /// It was swiped away.
        case dismiss
        /// A button was chosen; with what was typed, for one that asks for text.
        case act(String, text: String?)
    }

    package var kind: Kind
    /// Whether the message counts as read now.
    package var isReading: Bool

    package init(_ kind: Kind, isReading: Bool) {
        self.kind = kind
        self.isReading = isReading
    }
}
