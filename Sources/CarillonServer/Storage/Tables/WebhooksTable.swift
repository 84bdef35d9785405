import CarillonCore
import Foundation

/// Reads and writes the table `webhooks`.
struct WebhooksTable: StoreTable {
    let session: StoreSession

    // MARK: What backends ask and change

    func webhooks(of app: AppNumber) throws -> [Webhook] {
        try rows("SELECT * FROM webhooks WHERE app = ? ORDER BY number", [app.rawValue]).map(webhook)
    }

    func webhook(_ id: String, of app: AppNumber) throws -> Webhook? {
        try row("SELECT * FROM webhooks WHERE app = ? AND id = ?", [app.rawValue, id]).map(webhook)
    }

    func insert(_ new: Webhook, secret: Data, at position: FeedPosition) throws {
        try execute(
            """
            INSERT INTO webhooks (id, app, url, types, texts, secret, created, position, place, due)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                new.id, new.app.rawValue, new.url, try Self.types(new.selection), new.selection.hasTexts, secret,
                new.created.millisecondsSince1970, position.number, position.place, new.due.millisecondsSince1970,
            ])
    }

    func change(_ id: String, to webhook: Webhook) throws {
        try execute(
            "UPDATE webhooks SET url = ?, types = ?, texts = ? WHERE id = ?",
            [webhook.url, try Self.types(webhook.selection), webhook.selection.hasTexts, id])
    }

    /// Makes a webhook due at once, as if no attempt had failed, and tells the feed if it was set aside.
    func resume(_ webhook: Webhook) throws {
        try execute(
            "UPDATE webhooks SET failures = 0, due = ?, set_aside = NULL WHERE id = ?",
            [now.millisecondsSince1970, webhook.id])
        if webhook.setAside != nil { session.emit(.webhookResumed, of: webhook.app, FeedDetails(webhook: webhook.id)) }
    }

    /// Makes a webhook due at once, without forgetting how many attempts have failed.
    func hurry(_ id: String) throws {
        try execute("UPDATE webhooks SET due = ? WHERE id = ?", [now.millisecondsSince1970, id])
    }

    /// Begins a replay: puts the position of a webhook back or forward.
    ///
    /// The outcome of a request under way does not change the position any more.
    func replay(_ id: String, from position: FeedPosition) throws {
        try execute(
            "UPDATE webhooks SET position = ?, place = ?, flight = NULL, round = round + 1 WHERE id = ?",
            [position.number, position.place, id])
    }

    func rotate(_ id: String, to secret: Data, overlapUntil end: Timestamp) throws {
        try execute(
            "UPDATE webhooks SET former_secret = secret, former_until = ?, secret = ? WHERE id = ?",
            [end.millisecondsSince1970, secret, id])
    }

    /// Returns the secret that signs the requests of a webhook; `nil` if there is no such webhook.
    func secret(of id: String) throws -> Data? { try row("SELECT secret FROM webhooks WHERE id = ?", [id])?["secret"] }

    /// Returns whether a request repeats the last one that ``note(request:of:)`` has stored.
    func isRepeated(_ request: Data, of id: String) throws -> Bool {
        try integer("SELECT count(*) FROM webhooks WHERE id = ? AND request = ?", [id, request]) > 0
    }

    /// Stores the hash of a request, so that its repetition is recognized.
    func note(request: Data, of id: String) throws {
        try execute("UPDATE webhooks SET request = ? WHERE id = ?", [request, id])
    }

    func delete(_ id: String, of app: AppNumber) throws -> Bool {
        try changes("DELETE FROM webhooks WHERE app = ? AND id = ?", [app.rawValue, id]) > 0
    }

    /// Deletes all webhooks of an app, because it is removed.
    func deleteAll(of app: AppNumber) throws {
        try execute("DELETE FROM webhooks WHERE app = ?", [app.rawValue])
    }

    private static func types(_ selection: FeedSelection) throws -> String? {
        try selection.types.map { try json($0.map(\.rawValue).sorted()) }
    }

    private func webhook(_ row: SQLRow) throws -> Webhook {
        var webhook = Webhook(
            id: try row["id"], app: AppNumber(rawValue: try row["app"]), url: try row["url"],
            selection: FeedSelection(types: try row.json("types"), hasTexts: try row["texts"]),
            created: try row.requiredTimestamp("created"), due: try row.requiredTimestamp("due"))
        webhook.failures = try row["failures"]
        (webhook.setAside, webhook.answer) = (row.timestamp("set_aside"), row.text("answer"))
        (webhook.answered, webhook.delivered) = (row.timestamp("answered"), row.timestamp("delivered"))
        webhook.missed = row.timestamp("missed")
        webhook.position = FeedPosition(number: try row["position"], place: try row["place"])
        return webhook
    }

    // MARK: What senders ask and change

    /// Returns webhooks that have something to send now, those first that wait longest.
    ///
    /// A webhook that the sender holds without making its request is among them: the claim's commit was not confirmed.
    ///
    /// - Parameters:
    ///   - question: the sender, and the webhooks whose requests it is making.
    ///   - failing: whether to return those whose last attempt has failed; otherwise, the others are returned.
    ///   - limit: the greatest number of webhooks.
    /// - Returns: the webhooks, each with the number of the first row that the app's feed keeps.
    /// - Throws: the errors of the database.
    func due(
        _ question: ClaimingWebhooks.Question, failing: Bool, limit: Int
    ) throws -> [(WebhookStanding, first: Int64)] {
        // A due time that lies too far ahead was written before the clock was set back.
        let latest = (now + WebhookPace.backoff.longest).millisecondsSince1970
        let found = try rows(
            """
            SELECT webhooks.*, feeds.first FROM webhooks JOIN feeds ON feeds.app = webhooks.app
            WHERE (sender IS NULL OR sender = ?) AND NOT (\(dialect.isAmongIntegers("webhooks.number")))
                AND set_aside IS NULL AND (due <= ? OR due > ?) AND \(failing ? "failures > 0" : "failures = 0")
                AND (flight IS NOT NULL
                    OR EXISTS (SELECT 1 FROM feed WHERE feed.app = webhooks.app AND feed.number >= webhooks.position))
            ORDER BY due, webhooks.number LIMIT ?
            """,
            [question.sender.rawValue, Self.integers(question.busy), now.millisecondsSince1970, latest, limit])
        return try found.map { (try standing($0), first: try $0["first"]) }
    }

    /// Returns the earliest time at which a request that has failed is due again; `nil` for none.
    func nextDue() throws -> Timestamp? {
        try row(
            "SELECT min(due) AS due FROM webhooks WHERE set_aside IS NULL AND sender IS NULL AND due > ?",
            [now.millisecondsSince1970])?.timestamp("due")
    }

    /// Returns a webhook that is tried, unless another sender holds it.
    func standing(_ number: Int64, freeFor sender: SenderNumber) throws -> WebhookStanding? {
        try row(
            "SELECT * FROM webhooks WHERE number = ? AND set_aside IS NULL AND (sender IS NULL OR sender = ?)",
            [number, sender.rawValue]
        ).map(standing)
    }

    private func standing(_ row: SQLRow) throws -> WebhookStanding {
        let former: Data? = row.timestamp("former_until").map { $0 > now } == true ? row["former_secret"] : nil
        return WebhookStanding(
            number: try row["number"], id: try row["id"], app: AppNumber(rawValue: try row["app"]),
            url: try row["url"], selection: FeedSelection(types: try row.json("types"), hasTexts: try row["texts"]),
            position: FeedPosition(number: try row["position"], place: try row["place"]),
            flight: try row.json("flight"), round: try row["round"], failures: try row["failures"],
            epoch: try row["epoch"], secrets: [try row["secret"]] + (former.map { [$0] } ?? []))
    }

    /// Records that events before a position were not kept, and continues there.
    func skip(_ number: Int64, to position: FeedPosition) throws {
        try execute(
            "UPDATE webhooks SET position = ?, place = ?, flight = NULL, missed = ? WHERE number = ?",
            [position.number, position.place, now.millisecondsSince1970, number])
    }

    /// Records that a webhook wants none of the events up to a position.
    func pass(_ number: Int64, to position: FeedPosition) throws {
        try execute(
            "UPDATE webhooks SET position = ?, place = ?, flight = NULL WHERE number = ?",
            [position.number, position.place, number])
    }

    /// Leases a webhook to a sender for one attempt at a request.
    func lease(_ number: Int64, to sender: SenderNumber, _ flight: WebhookFlight) throws {
        try execute(
            "UPDATE webhooks SET sender = ?, epoch = epoch + 1, flight = ? WHERE number = ?",
            [sender.rawValue, try Self.json(flight), number])
    }

    /// Stores the outcome of an attempt, and ends its lease.
    ///
    /// An outcome of an ended lease changes nothing, and that of a request that a replay has dropped only ends the lease.
    func settle(_ request: ClaimedWebhook, _ outcome: WebhookPace.Outcome) throws {
        let lease: SQLArguments = [request.standing.number, request.lease.sender.rawValue, request.lease.epoch]
        let time = now.millisecondsSince1970
        let isOurs = "WHERE number = ? AND sender = ? AND epoch = ?"
        switch outcome {
        case .delivered:
            let end = request.flight.end
            let values: SQLArguments = [end.number, end.place, time, time]
            try execute(
                """
                UPDATE webhooks
                SET position = ?, place = ?, flight = NULL, failures = 0, answer = NULL, delivered = ?, due = ?
                \(isOurs) AND flight IS NOT NULL
                """, values + lease)
        case .again(let due, let answer):
            let values: SQLArguments = [due.millisecondsSince1970, answer, time]
            try execute(
                """
                UPDATE webhooks SET failures = failures + 1, due = ?, answer = ?, answered = ?
                \(isOurs) AND flight IS NOT NULL
                """, values + lease)
        case .setAside(let answer):
            let values: SQLArguments = [time, answer, time]
            let isSetAside =
                try changes(
                    """
                    UPDATE webhooks SET failures = failures + 1, set_aside = ?, answer = ?, answered = ?
                    \(isOurs) AND flight IS NOT NULL
                    """, values + lease) > 0
            if isSetAside {
                session.emit(
                    .webhookSetAside, of: request.standing.app,
                    FeedDetails(reason: answer, webhook: request.standing.id))
            }
        }
        try execute("UPDATE webhooks SET sender = NULL \(isOurs)", lease)
    }

    /// Ends all leases of a sender that has ended.
    func release(_ sender: SenderNumber) throws {
        try execute("UPDATE webhooks SET sender = NULL WHERE sender = ?", [sender.rawValue])
    }
}
