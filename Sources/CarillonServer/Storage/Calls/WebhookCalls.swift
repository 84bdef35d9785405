import CarillonCore
import Foundation

/// The store's calls about webhooks.
package struct WebhookCalls: Sendable {
    let transactions: Transactions

    // MARK: Backends

    package func all(of app: AppNumber) async throws -> [Webhook] {
        try await transactions.read { session in
            let newest = try Self.newest(of: app, session)
            return try WebhooksTable(session).webhooks(of: app).map { Self.with(newest, $0) }
        }
    }

    package func webhook(_ id: String, of app: AppNumber) async throws -> Webhook? {
        try await transactions.read { session in
            try WebhooksTable(session).webhook(id, of: app).map { Self.with(try Self.newest(of: app, session), $0) }
        }
    }

    private static func newest(of app: AppNumber, _ session: StoreSession) throws -> FeedPosition {
        let feeds = FeedTable(session)
        return try feeds.feed(of: app).map { try feeds.end(of: app, $0) } ?? FeedPosition(number: 0)
    }

    private static func with(_ newest: FeedPosition, _ webhook: Webhook) -> Webhook {
        var webhook = webhook
        webhook.newest = newest
        return webhook
    }

    /// Adds a webhook, which gets the events from now on, and keeps the app's feed open for as long as there is a webhook.
    ///
    /// If the app has a webhook with this id already, the call repeats the one that added it, and adds nothing.
    ///
    /// - Returns: the secret of the webhook, or the reason why there is none.
    /// - Throws: ``ServiceError`` if the app was removed, and the errors of the database.
    package func add(
        _ new: Webhook, secret: Data, for app: AppReference, by actor: AuditActor, at now: Timestamp
    ) async throws -> WebhookAddition {
        try await transactions.write(at: now) { session in
            let (webhooks, feeds) = (WebhooksTable(session), FeedTable(session))
            if let known = try webhooks.webhook(new.id, of: app.number) {
                guard known.tag == new.tag, let secret = try webhooks.secret(of: new.id) else { return .isAnother }
                return .added(secret: secret)
            }
            guard try webhooks.webhooks(of: app.number).count < StoreLimits.webhooksPerApp else { return .areTooMany }
            try feeds.keepOpen(app.number, until: StoreLimits.forever)
            guard let feed = try feeds.feed(of: app.number) else { throw ServiceError.appIsRemoved }
            try webhooks.insert(new, secret: secret, at: try feeds.end(of: app.number, feed))
            try AuditTable(session).add(
                AuditNote(.webhookAdded, by: actor, app: app.topic, subject: new.id, details: new.url))
            return .added(secret: secret)
        }
    }

    /// Changes a webhook; returns it as it is then, or `nil` if the app has no such webhook.
    ///
    /// - Throws: ``OtherEntityTag`` if `tags` are given and none is the webhook's, and the errors of the database.
    package func change(
        _ id: String, of app: AppReference, _ change: WebhookChange, ifMatching tags: [String]? = nil,
        by actor: AuditActor, at now: Timestamp
    ) async throws -> Webhook? {
        try await update(id, of: app, at: now) { session, webhook in
            guard tags?.contains(webhook.tag) ?? true else { throw OtherEntityTag() }
            let table = WebhooksTable(session)
            var changed = webhook
            changed.url = change.url ?? webhook.url
            changed.selection.types = change.types ?? webhook.selection.types
            changed.selection.hasTexts = change.hasTexts ?? webhook.selection.hasTexts
            if changed != webhook {
                try table.change(id, to: changed)
                try AuditTable(session).add(
                    AuditNote(.webhookChanged, by: actor, app: app.topic, subject: id, details: changed.url))
            }
            if change.resumes || changed.url != webhook.url { try table.resume(webhook) }
        }
    }

    /// Deletes a webhook; returns whether the app had it.
    ///
    /// A request that is under way may still arrive.
    package func delete(
        _ id: String, of app: AppReference, by actor: AuditActor, at now: Timestamp
    ) async throws -> Bool {
        try await transactions.write(at: now) { session in
            let webhooks = WebhooksTable(session)
            guard try webhooks.delete(id, of: app.number) else { return false }
            if try webhooks.webhooks(of: app.number).isEmpty {
                try FeedTable(session).close(app.number, at: now + StoreLimits.feedKept)
            }
            try AuditTable(session).add(AuditNote(.webhookDeleted, by: actor, app: app.topic, subject: id))
            return true
        }
    }

    /// Gives a webhook another secret; the former one also signs until `end`.
    ///
    /// A call that repeats the last one, by the hash `request`, changes nothing.
    ///
    /// - Returns: the webhook and its secret; `nil` if the app has no such webhook.
    package func rotate(
        _ id: String, of app: AppReference, to secret: Data, overlapUntil end: Timestamp, request: Data? = nil,
        by actor: AuditActor, at now: Timestamp
    ) async throws -> (webhook: Webhook, secret: Data)? {
        let webhook = try await update(id, of: app, request, at: now) { session, _ in
            try WebhooksTable(session).rotate(id, to: secret, overlapUntil: end)
            try AuditTable(session).add(AuditNote(.webhookRotated, by: actor, app: app.topic, subject: id))
        }
        guard let webhook, let secret = try await transactions.read({ try WebhooksTable($0).secret(of: id) }) else {
            return nil
        }
        return (webhook, secret)
    }

    /// Tells a webhook all events again that were written since a time, and resumes it.
    ///
    /// A call that repeats the last one, by the hash `request`, changes nothing.
    package func replay(
        _ id: String, of app: AppReference, since moment: Timestamp, request: Data? = nil, at now: Timestamp
    ) async throws -> Webhook? {
        try await update(id, of: app, request, at: now) { session, webhook in
            let (webhooks, feeds) = (WebhooksTable(session), FeedTable(session))
            guard let feed = try feeds.feed(of: app.number) else { throw ServiceError.appIsRemoved }
            try webhooks.replay(id, from: try feeds.position(since: moment, of: app.number, feed))
            try webhooks.resume(webhook)
        }
    }

    /// Writes an event to the feed that only this webhook gets, and makes the webhook due at once.
    ///
    /// A call that repeats the last one, by the hash `request`, writes none.
    package func test(
        _ id: String, of app: AppReference, request: Data? = nil, at now: Timestamp
    ) async throws -> Webhook? {
        try await update(id, of: app, request, at: now) { session, _ in
            session.emit(.webhookTest, of: app.number, FeedDetails(detail: id))
            try WebhooksTable(session).hurry(id)
        }
    }

    private func update(
        _ id: String, of app: AppReference, _ request: Data? = nil, at now: Timestamp,
        _ body: @escaping @Sendable (StoreSession, Webhook) throws -> Void
    ) async throws -> Webhook? {
        let isFound = try await transactions.write(at: now) { session in
            let webhooks = WebhooksTable(session)
            guard let webhook = try webhooks.webhook(id, of: app.number) else { return false }
            if let request {
                guard try !webhooks.isRepeated(request, of: id) else { return true }
                try webhooks.note(request: request, of: id)
            }
            try body(session, webhook)
            return true
        }
        // Read afterwards, because the feed gets its events at the end of the transaction.
        return isFound ? try await webhook(id, of: app.number) : nil
    }

    // MARK: Senders

    /// Claims requests for a sender, without writing if there are none.
    ///
    /// - Parameters:
    ///   - question: the sender, the webhooks whose requests it is making, and the greatest numbers of further webhooks.
    ///   - now: the time of the call.
    /// - Returns: the requests.
    /// - Throws: ``SenderEnded`` if another sender has taken over this sender's leases, and the errors of the database.
    func claim(_ question: ClaimingWebhooks.Question, at now: Timestamp) async throws -> WebhookClaim {
        let (candidates, isMore, next) = try await transactions.read(at: now) { session in
            let (found, isMore) = try ClaimingWebhooks(session).candidates(question)
            return (found, isMore, try WebhooksTable(session).nextDue())
        }
        guard !candidates.isEmpty else { return WebhookClaim(nextDue: next) }
        var claim = try await transactions.write(at: now) {
            try ClaimingWebhooks($0).claim(candidates, for: question.sender)
        }
        claim.isMore = claim.isMore || isMore
        claim.nextDue = next
        return claim
    }

    /// Stores the outcome of a request.
    func settle(_ request: ClaimedWebhook, _ outcome: WebhookPace.Outcome, at now: Timestamp) async throws {
        try await transactions.write(at: now) { try WebhooksTable($0).settle(request, outcome) }
    }
}
