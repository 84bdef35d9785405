import CarillonCore

/// Queues, claims and settles the pushes of Live Activities.
///
/// A phone has at most one row in `deliveries` for a Live Activity, under the leases of all other pushes (``Lease``). A row has no
/// content: the push gets the newest state when a sender claims it.
struct LiveActivityPushes: SessionPart {
    let session: StoreSession
    private let phones: ActivityPhonesTable
    private let deliveries: DeliveriesTable

    init(_ session: StoreSession) {
        self.session = session
        phones = ActivityPhonesTable(session)
        deliveries = DeliveriesTable(session)
    }

    /// Queues the next push of each phone that meets an SQL condition and has no push that waits or is in flight.
    ///
    /// A phone with such a push gets the newest state by it, or by a further push that is queued when it is settled.
    func queue(where condition: String, _ arguments: SQLArguments) throws {
        try queue(phones.phones(where: condition, arguments))
    }

    /// Queues the next push of each of these phones that has no push that waits or is in flight.
    func queue(_ found: [StoredActivityPhone]) throws {
        for stored in found where !stored.isQueued {
            guard stored.phone.next(at: now) != nil else { continue }
            var push = Push(revision: stored.phone.revision, queued: now, due: now)
            push.reach = stored.phone.reach
            let number = try deliveries.insert(
                push, .liveActivity, message: nil, device: stored.device, channel: stored.channel,
                lane: DeliveryLane(devices: stored.activity.devices))
            try phones.keep(delivery: number, of: stored.number)
        }
    }

    /// Queues the pushes for a phone whose tokens, user or state have changed.
    func queue(on device: String) throws { try queue(phones.phones(waiting(on: device))) }

    /// Returns the query of ``queue(on:)``.
    func waiting(on device: String) -> SQLStatement {
        ActivityPhonesTable.query(
            where: """
                activity_phones.device = ? AND activity_phones.finished = 0 AND activity_phones.gone = 0
                    AND activities.started > ?
                """, [device, (now - StoreLimits.activityLifetime).millisecondsSince1970])
    }

    // MARK: Senders

    /// Leases the push in a row of `deliveries` to a sender, with the newest state.
    ///
    /// - Returns: the push; `nil` if the phone needs none by now. In this case, the function has deleted the row.
    func lease(_ row: SQLRow, to sender: SenderNumber) throws -> ClaimedDelivery? {
        let number: Int64 = try row["number"]
        guard var stored = try phones.phones(where: "activity_phones.delivery = ?", [number]).first,
            let topic = row.text("topic"), let (event, token) = stored.phone.next(at: now)
        else {
            try deliveries.delete(number)
            return nil
        }
        var push = try row.push()
        if push.revision != stored.phone.revision {
            push.revision = stored.phone.revision
            if event != .start { push.attempt = 0 }
        }
        let lease = push.lease(to: sender)
        try deliveries.keep(push, number)
        if event == .start {
            stored.phone.reach = push.reach
            try phones.keep(stored)
        }
        var claimed = ClaimedDelivery(
            number: number, purpose: .liveActivity, lease: lease, lane: try row.number("lane"), device: stored.device,
            app: AppID(topic: topic, environment: try row.choice("environment")), token: token,
            revision: push.revision, attempt: push.attempt, removals: [], hasMoreRemovals: false, hasUnanswered: false)
        claimed.activity = content(of: event, for: stored)
        return claimed
    }

    private func content(of event: LiveActivityEvent, for stored: StoredActivityPhone) -> ClaimedActivity {
        let activity = stored.activity
        var claimed = ClaimedActivity(
            id: activity.id, phone: stored.number, event: event, type: activity.type, attributes: activity.attributes,
            content: activity.content, stamp: activity.stamp,
            until: event == .start ? activity.startsUntil : activity.isOver)
        if event == .start, claimed.content["alert"] == nil { claimed.content["alert"] = .object(activity.alert) }
        // The phone has another token since this state was sent to it: it needs the state, and has heard its alert.
        if event == .update, stored.events[.accepted]?.timestamp == activity.stamp { claimed.content["alert"] = nil }
        if event == .start, case .open(let channel) = stored.phone.channel { claimed.channel = channel }
        if stored.isWithdrawn {
            // Its state is not for whoever holds the phone now, and leaves the screen at once.
            claimed.stamp = DeliveryLimits.activityStamp(after: activity.stamp, at: now)
            claimed.content = JSONObject(["dismissal-date": .int(now.secondsSince1970)])
        }
        return claimed
    }

    /// Stores the outcome of a push to a Live Activity.
    ///
    /// APNs' answer is recorded under any lease. The push itself changes only under the lease with which it was sent.
    func settle(_ sent: SentPush, _ row: SQLRow, _ rules: SendingRules) throws {
        guard let pushed = sent.activity else { return }
        let registered = try phones.registered(sent.token, pushed, on: sent.device)
        var verdict = sent.outcome.verdict(
            tokenRegistered: registered ?? now, tries: try row["sent_tries"], rules, at: sent.at)
        if registered == nil, verdict.rejectsToken { verdict = .retry(mayHaveArrived: false) }
        var push = try row.push("sent_")
        let isHeld = push.isHeld(under: sent.lease)
        if isHeld {
            push.settle(sent, verdict, rules)
            try deliveries.keep(own: push, sent.number)
        }
        guard var stored = try phones.phones(where: "activity_phones.number = ?", [pushed.phone]).first else { return }
        if verdict.rejectsToken { try phones.retire(sent.token, pushed, on: sent.device) }
        // The answer for a former token says nothing of the Live Activity that the phone has now.
        if registered != nil || pushed.event == .start {
            stored.phone.settle(
                verdict, pushed.event, revision: sent.revision, follows: pushed.channel != nil, isHeld ? push : nil)
        }
        if pushed.channel != nil, stored.phone.isFollowing {
            try ActivityChannelsTable(session).noteStart(
                of: stored.activity.number, stored.environment, revision: sent.revision)
        }
        if let rejection = sent.rejection {
            stored.events.record(.rejected, .init(at: sent.at, timestamp: pushed.stamp, detail: rejection.reason))
        } else if verdict == .accepted {
            stored.events.record(.accepted, .init(at: sent.at, timestamp: pushed.stamp))
        }
        try phones.keep(stored)
        try queue(where: "activity_phones.number = ?", [pushed.phone])
    }
}
