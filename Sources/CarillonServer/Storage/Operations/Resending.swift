import CarillonCore
import Crypto
import Foundation

/// Sends a message again, under another id, to the devices that did not see it.
struct Resending: SessionPart {
    let session: StoreSession
    private let messages: MessagesTable
    private let unseen: UnseenDevices

    init(_ session: StoreSession) {
        self.session = session
        messages = MessagesTable(session)
        unseen = UnseenDevices(session)
    }

    /// Accepts a copy of a message for the devices that did not see it.
    ///
    /// The devices of a broadcast to many are determined while the copy is sent, those of another message now. The copy is in no
    /// inbox, because the message itself is. It does not go to a device on which another user is signed in than when the message
    /// came.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - app: the message's app.
    ///   - id: the id of the copy.
    ///   - key: the idempotency key of the request; `nil` for none.
    /// - Returns: the outcome.
    /// - Throws: the errors of the database.
    func resend(
        _ message: MessageID, of app: AppReference, as id: MessageID, _ key: IdempotencyKey?
    ) throws -> ResendOutcome {
        guard let row = try messages.row(of: message, of: app.number) else { return .unknown }
        let number: Int64 = try row["number"]
        let isManyfold = try row["ranged"] && row["everyone"]
        let ids = isManyfold ? [] : try unseen.ids(of: number, limit: StoreLimits.audienceDevices)
        let copy = try copy(of: row, app, id, to: isManyfold ? .unseen(number) : .devices(ids), key)
        guard try messages.row(of: id, of: app.number) == nil else {
            return .answered(try Accepting(session).accept(copy, isManyfold ? .ranges : nil))
        }
        if let state = try end(of: row) { return .ended(state) }
        guard isManyfold || !ids.isEmpty else { return .seenByAll }
        let acceptance = try Accepting(session).accept(copy, isManyfold ? .ranges : nil)
        if let copied = try messages.number(of: MessageReference(id, of: app.number)) {
            try messages.copyVariables(of: number, to: copied)
        }
        return .answered(acceptance)
    }

    /// Returns the state of a message that nobody may get any more; `nil` for another message.
    private func end(of row: SQLRow) throws -> MessageState? {
        if row.timestamp("recalled") != nil { return .recalled }
        if row.timestamp("cancelled") != nil { return .cancelled }
        return row.timestamp("until").map { $0 <= now } == true ? .expired : nil
    }

    private func copy(
        of row: SQLRow, _ app: AppReference, _ id: MessageID, to audience: Audience, _ key: IdempotencyKey?
    ) throws -> NewMessage {
        var hash = SHA256()
        hash.update(data: Data("resend \(try row["id"] as String) \(try row["revision"] as Int) ".utf8))
        hash.update(data: try row["fingerprint"] as Data)
        return NewMessage(
            id: id, app: app, mode: try row.choice("mode"), until: row.timestamp("until"),
            isNowOrNever: try row["now_or_never"], payload: try row["payload"],
            badgeIsUnreadCount: try row["badge_is_unread"], countsAsUnread: false, dialect: try row.choice("dialect"),
            audience: audience, texts: try row.texts(), removesExpired: try row["remove_expired"],
            keepsReplies: try row["keeps_replies"], campaign: row.text("campaign"),
            fingerprint: Data(hash.finalize()), idempotencyKey: key)
    }
}

/// The outcome of resending a message (``MessageCalls/resend(_:of:as:_:at:)``).
package enum ResendOutcome: Sendable, Hashable {
    /// The copy was accepted, or refused, as any message.
    case answered(Acceptance)
    /// The app has no such message.
    case unknown
    /// The message was recalled or cancelled, or has expired.
    case ended(MessageState)
    /// No device is left that got the message and did not see it.
    case seenByAll
}
