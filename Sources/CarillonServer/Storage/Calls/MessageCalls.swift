import CarillonCore
import Foundation

/// The store's calls about messages, from their acceptance to reports about them.
package struct MessageCalls: Sendable {
    let transactions: Transactions

    /// Accepts a message and begins to address it to its audience.
    ///
    /// If the app already has a message with this id, the new message replaces it, unless the result is a refusal.
    package func accept(_ message: NewMessage, at now: Timestamp) async throws -> Acceptance {
        // Decides in a reading transaction, which does not delay writers, whether the message's deliveries are kept as bitmaps or
        // in rows.
        let form =
            message.audience.isBroadcast
            ? try await transactions.read(at: now) { try Accepting($0).broadcastForm(message) } : nil
        guard form == nil else {
            return try await transactions.writeInSteps(at: now) { try Accepting($0).accept(message, form) }
        }
        return try await transactions.writeInSteps(at: now, foreseeing: { try Accepting.foresee(message, in: $0) }) {
            try Accepting($0).accept(message, nil)
        }
    }

    /// Returns the answer to a request that repeats an earlier one; `nil` if there was none.
    ///
    /// - Parameters:
    ///   - fingerprint: the hash of the request as received.
    ///   - id: the message's id in the request; `nil` if it names none.
    ///   - key: the request's idempotency key; `nil` for none.
    ///   - app: the app.
    ///   - now: the time of the call.
    /// - Returns: the answer of the earlier request.
    /// - Throws: the errors of the database.
    package func answer(
        toRepetition fingerprint: Data, id: MessageID?, _ key: IdempotencyKey?, of app: AppReference,
        at now: Timestamp
    ) async throws -> SendAnswer? {
        try await transactions.read(at: now) {
            try MessagesTable($0).answer(toRepetition: fingerprint, id: id, key, of: app.number)
        }
    }

    /// Returns the reason why an audience selects no reachable device.
    package func reasonForNobody(
        in audience: Audience, of app: AppReference, at now: Timestamp
    ) async throws -> NobodyReason {
        try await transactions.read(at: now) { try AudienceQuery($0).reasonForNobody(in: audience, of: app.number) }
    }

    /// Returns the number of reachable devices that an audience selects now.
    ///
    /// A device is reachable if it is active and has a token.
    package func count(_ audience: Audience, of app: AppReference, at now: Timestamp) async throws -> Int {
        try await transactions.costlyRead(for: app.number, at: now) {
            try AudienceQuery($0).count(audience, of: app.number)
        }
    }

    /// Returns the number of reachable devices that an audience selects now, by locale.
    ///
    /// A device is reachable if it is active and has a token. The key `nil` stands for devices without a locale.
    package func locales(
        _ audience: Audience, of app: AppReference, at now: Timestamp
    ) async throws -> [String?: Int] {
        try await transactions.costlyRead(for: app.number, at: now) {
            try AudienceQuery($0).locales(audience, of: app.number)
        }
    }

    package func report(_ message: MessageReference, at now: Timestamp) async throws -> NotificationReport? {
        try await transactions.read(at: now) { try Reporting($0).report(message) }
    }

    /// Returns the timelines of a message on one page of its devices.
    ///
    /// The devices are in the order of their ids; if a message's deliveries are kept as bitmaps, most of them are in the order of
    /// their positions. The page has at most `limit` devices. It begins after the mark that the previous page gave as `next`;
    /// with `nil`, it is the first. The result is `nil` if there is no such message.
    package func timeline(
        _ message: MessageReference, after mark: String?, limit: Int, at now: Timestamp
    ) async throws -> Timeline? {
        try await transactions.read(at: now) {
            try Timelines($0).timeline(message, after: mark ?? "", limit: limit)
        }
    }

    /// Returns a page of an app's messages, the newest first; `nil` if there is no message with the id `mark`, after which the page
    /// would begin.
    package func list(
        of app: AppReference, _ filter: MessageFilter, after mark: MessageID?, limit: Int, at now: Timestamp
    ) async throws -> MessageList? {
        try await transactions.costlyRead(for: app.number, at: now) {
            try ListingMessages($0).page(of: app.number, filter, after: mark, limit: limit)
        }
    }

    /// Returns a page of a message's devices, or of a group of them; `nil` if there is no such message.
    ///
    /// The page begins after the mark that the previous page gave as `next`; with `nil`, it is the first.
    package func recipients(
        of message: MessageReference, in group: RecipientGroup?, after mark: String?, limit: Int, at now: Timestamp
    ) async throws -> RecipientList? {
        try await transactions.costlyRead(for: message.app, at: now) {
            try Recipients($0).page(of: message, in: group, after: mark ?? "", limit: limit)
        }
    }

    /// Returns the title by which a list of messages names a message; without a title, its body.
    ///
    /// The text is in the language of the payload itself, with the user's values for the message's variables. The result is
    /// `nil` if there is no such message, and if the message has no text.
    package func title(of message: MessageReference, for user: UserReference) async throws -> String? {
        try await transactions.read { session in
            let messages = MessagesTable(session)
            guard let number = try messages.number(of: message) else { return nil }
            let alert = try messages.message(number, in: nil, for: user).payload.aps.alert
            return alert?.title ?? alert?.body
        }
    }

    /// Sends a message again, under another id, to the devices that did not see it.
    ///
    /// A repeated call with an equal `id` sends nothing.
    package func resend(
        _ message: MessageID, of app: AppReference, as id: MessageID, _ key: IdempotencyKey?, at now: Timestamp
    ) async throws -> ResendOutcome {
        try await transactions.writeInSteps(at: now) { try Resending($0).resend(message, of: app, as: id, key) }
    }

    /// Recalls a message: cancels its queued pushes, and makes the devices that it may have reached remove it.
    ///
    /// A notice is a push that replaces the message on devices that do not confirm the removal. It needs a message with visible
    /// text. A repeated recall changes nothing, except that it adds a notice if the earlier recall had none.
    ///
    /// - Returns: whether there is such a message.
    package func recall(
        _ message: MessageReference, notice: RecallNotice?, _ rules: SendingRules, by actor: AuditActor,
        at now: Timestamp
    ) async throws -> Bool {
        try await transactions.writeInSteps(at: now) { session in
            guard let number = try MessagesTable(session).number(of: message) else { return false }
            if try Recalling(session).recall(number, notice, rules) {
                try session.foresee([AppsTable.topic(of: message.app), AuditTable.last])
                try AuditTable(session).add(
                    AuditNote(
                        .messageRecalled, by: actor, app: try AppsTable(session).topic(of: message.app),
                        subject: message.id.rawValue, details: notice == nil ? "" : "with a notice"))
            }
            return true
        }
    }

    /// Pauses, resumes or cancels a message, as `change` says.
    ///
    /// A pause or a cancellation does nothing if the message has no push left to send.
    ///
    /// - Returns: whether there is such a message.
    package func steer(
        _ message: MessageReference, _ change: SendingChange, at now: Timestamp
    ) async throws -> Bool {
        try await transactions.writeInSteps(at: now) { session in
            guard let number = try MessagesTable(session).number(of: message) else { return false }
            try Steering(session).steer(number, change)
            return true
        }
    }

    /// Returns the state of a message's recall: the counts over all devices, and the outcomes for at most `limit` devices.
    ///
    /// The result is `nil` if there is no such message.
    package func recallAnswer(_ message: MessageReference, limit: Int) async throws -> RecallAnswer? {
        try await transactions.read { session in
            guard let number = try MessagesTable(session).number(of: message) else { return nil }
            let standings = RemovalStandings(session)
            return RecallAnswer(
                id: message.id, state: .recalled, recall: try standings.recallCounts(number, hasExpired: false),
                devices: try standings.recallOutcomes(number, limit: limit))
        }
    }
}
