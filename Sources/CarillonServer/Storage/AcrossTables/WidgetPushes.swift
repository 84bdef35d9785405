import CarillonCore

/// Queues, claims and settles the pushes that reload widgets and controls.
///
/// A token has at most one row in `deliveries`, under the leases of all other pushes (``Lease``). Its push settles all requests that
/// came before a sender claimed it.
struct WidgetPushes: SessionPart {
    let session: StoreSession
    private let tokens: WidgetTokensTable
    private let deliveries: DeliveriesTable

    init(_ session: StoreSession) {
        self.session = session
        tokens = WidgetTokensTable(session)
        deliveries = DeliveriesTable(session)
    }

    /// Queues the push of a token for which one is due, unless one waits or is in flight.
    func queue(_ stored: StoredWidgetToken, in lane: DeliveryLane) throws {
        guard !stored.isQueued, stored.reload.isDue(at: now) else { return }
        let number = try deliveries.insert(
            Push(revision: stored.reload.asked, queued: now, due: now), .widgets, message: nil, device: stored.device,
            channel: stored.channel, lane: lane)
        try tokens.keep(delivery: number, of: stored.number)
    }

    /// Queues the pushes that wait for a device whose tokens or state have changed.
    func queue(on device: String) throws {
        for stored in try tokens.tokens(waiting(on: device)) { try queue(stored, in: .single) }
    }

    /// Returns the query of ``queue(on:)``.
    func waiting(on device: String) -> SQLStatement {
        WidgetTokensTable.query(
            where: """
                widget_tokens.device = ? AND widget_tokens.asked > widget_tokens.settled AND widget_tokens.dead IS NULL
                """, [device])
    }

    /// Leases the push in a row of `deliveries` to a sender.
    ///
    /// - Returns: the push; `nil` if none is due by now. In this case, the function has deleted the row.
    func lease(_ row: SQLRow, to sender: SenderNumber) throws -> ClaimedDelivery? {
        let number: Int64 = try row["number"]
        guard var stored = try tokens.tokens(where: "widget_tokens.delivery = ?", [number]).first,
            let topic = row.text("topic"), stored.reload.isDue(at: now)
        else {
            try deliveries.delete(number)
            return nil
        }
        var push = try row.push()
        if push.revision != stored.reload.asked {
            push.revision = stored.reload.asked
            push.attempt = 0
        }
        let lease = push.lease(to: sender)
        try deliveries.keep(push, number)
        stored.reload.claim()
        try tokens.keep(stored)
        var claimed = ClaimedDelivery(
            number: number, purpose: .widgets, lease: lease, lane: try row.number("lane"), device: stored.device,
            app: AppID(topic: topic, environment: try row.choice("environment")), token: stored.token,
            revision: push.revision, attempt: push.attempt, removals: [], hasMoreRemovals: false, hasUnanswered: false)
        claimed.widget = ClaimedWidget(
            token: stored.number, isControl: stored.isControl, until: stored.reload.until)
        return claimed
    }

    /// Stores the outcome of a push.
    ///
    /// APNs' answer is recorded under any lease. The push itself changes only under the lease with which it was sent. A rejection
    /// retires the token, never the device.
    func settle(_ sent: SentPush, _ row: SQLRow, _ rules: SendingRules) throws {
        guard let claimed = sent.widget else { return }
        // `nil` if the phone has registered another token meanwhile.
        let known = try tokens.tokens(where: "widget_tokens.number = ?", [claimed.token]).first
        var verdict = sent.outcome.verdict(
            tokenRegistered: known?.registered ?? now, tries: try row["sent_tries"], rules, at: sent.at)
        if known == nil, verdict.rejectsToken { verdict = .retry(mayHaveArrived: false) }
        var push = try row.push("sent_")
        let isHeld = push.isHeld(under: sent.lease)
        if isHeld {
            push.settle(sent, verdict, rules)
            try deliveries.keep(own: push, sent.number)
        }
        guard var stored = known else { return }
        if verdict.rejectsToken { try tokens.retire(stored.number) }
        stored.reload.settle(verdict, request: sent.revision, isHeld ? push : nil)
        try tokens.keep(stored)
        if let fresh = try tokens.tokens(where: "widget_tokens.number = ?", [stored.number]).first {
            try queue(fresh, in: sent.lane)
        }
    }
}
