import CarillonCore

extension Delivery {
    /// Applies an event to the delivery.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - rules: the waits and limits.
    ///   - now: the time of the event.
    /// - Returns: the further changes to make, in order. The caller must also store the delivery.
    package mutating func received(_ event: DeliveryEvent, _ rules: SendingRules, at now: Timestamp)
        -> [DeliveryChange]
    {
        switch event {
        case .accepted(let revision, let user): accepted(revision, user, now)
        case .turn(let turn): turned(turn, now)
        case .withdrawn(let reason): withdrawn(reason, rules, now)
        case .ended: ended(now)
        case .cancelled(let why): cancelWaiting([.show, .fallback, .notice], why, now)
        case .leased(let purpose, let sender): leased(purpose, sender)
        case .answered(let sent, let verdict): answered(sent, verdict, rules)
        case .lapsed(let purpose): lapsed(purpose, rules, now)
        case .expired(let purpose, let why): expired(purpose, why, now)
        case .reported(let event, let revision): reported(event, revision, now)
        }
    }

    // MARK: The message

    private mutating func accepted(_ revision: Int, _ user: String?, _ now: Timestamp) -> [DeliveryChange] {
        let changes = cancelWaiting([.fallback, .notice], "replaced by a newer revision before it was sent", now)
        self.user = user
        // A removal of the earlier revision does not apply to the new revision, which the device must show.
        removal = nil
        (isRecalled, hasNotice, isCancelled) = (false, false, false)
        answers = []
        show.requeue(revision: revision, at: now, due: now)
        return changes + [.note(DeliveryNote(.queued, at: now, purpose: .show, revision: revision))]
    }

    /// Makes the first push wait for the device's moment, or leaves the device out.
    ///
    /// The push counts as queued from that moment on, so that the wait before it does not count as one for APNs.
    private mutating func turned(_ turn: LocalTurn, _ now: Timestamp) -> [DeliveryChange] {
        guard show.state == .queued, show.inFlight.map({ $0.revision < show.revision }) ?? true else { return [] }
        switch turn {
        case .due(let moment):
            show.due = max(now, moment)
            show.queued = show.due
            return []
        case .skipped(let why): return end(.show, as: .skipped, .cancelled, why, now)
        }
    }

    /// Cancels waiting pushes, and asks the device to remove a message that may have arrived.
    ///
    /// While an attempt is in flight, the removal waits, so that it cannot overtake the message; otherwise it goes out
    /// at once. If `reason` is a recall, a notice (a quiet push that replaces the message) may follow the removal. For
    /// every other `reason`, a waiting notice is cancelled as well.
    private mutating func withdrawn(
        _ reason: Removal.Reason, _ rules: SendingRules, _ now: Timestamp
    ) -> [DeliveryChange] {
        let purposes: [PushPurpose] = reason == .recall ? [.show, .fallback] : [.show, .fallback, .notice]
        let changes = cancelWaiting(purposes, reason.cancellation, now) + requestRemoval(reason, now)
        queueSecondPush(rules, at: now)
        return changes
    }

    /// Expires waiting pushes and asks the device to remove the message.
    ///
    /// A device that has reported the message as opened, dismissed or expired is not asked.
    private mutating func ended(_ now: Timestamp) -> [DeliveryChange] {
        let changes = [PushPurpose.show, .fallback, .notice].flatMap {
            expired($0, Removal.Reason.expired.cancellation, now)
        }
        return answers.isSettled ? changes : changes + requestRemoval(.expired, now)
    }

    private mutating func requestRemoval(_ reason: Removal.Reason, _ now: Timestamp) -> [DeliveryChange] {
        guard mayHaveArrived, removal.map({ $0.revision < show.revision }) ?? true else { return [] }
        removal = RemovalRequest(reason, revision: show.revision, requested: now)
        return isLeased ? [] : [.sendRemoval]
    }

    private mutating func cancelWaiting(
        _ purposes: [PushPurpose], _ why: String, _ now: Timestamp
    ) -> [DeliveryChange] {
        purposes.flatMap { self[$0]?.isWaiting == true ? cancel($0, why, now) : [] }
    }

    private mutating func cancel(_ purpose: PushPurpose, _ why: String, _ now: Timestamp) -> [DeliveryChange] {
        end(purpose, as: .cancelled, .cancelled, why, now)
    }

    private mutating func expired(_ purpose: PushPurpose, _ why: String, _ now: Timestamp) -> [DeliveryChange] {
        guard self[purpose]?.isWaiting == true else { return [] }
        return end(purpose, as: .expired, .expired, why, now)
    }

    private mutating func end(
        _ purpose: PushPurpose, as state: DeliveryState, _ event: TimelineEventKind, _ why: String, _ now: Timestamp
    ) -> [DeliveryChange] {
        guard let push = self[purpose] else { return [] }
        self[purpose]?.state = state
        return [.note(DeliveryNote(event, at: now, purpose: purpose, revision: push.revision, detail: why))]
    }

    // MARK: The phone

    private mutating func reported(_ event: ReceiptEvent, _ revision: Int, _ now: Timestamp) -> [DeliveryChange] {
        // Ignores a report on an earlier revision.
        guard revision >= show.revision else { return [] }
        answers.formUnion(ReceiptSet(event))
        // A device that reports an event has the message, even if the push had no answer.
        show.reach = max(show.reach, .possible)
        if event == .recalled || event == .expired, removal?.confirmed == nil { removal?.confirmed = now }
        var needless: [PushPurpose] = answers.isAnswer ? [.fallback] : []
        if !SecondPush.notice.isNeeded(by: self) { needless.append(.notice) }
        return cancelWaiting(needless, "not needed: the device reported \(event.rawValue)", now)
    }

    // MARK: The sender

    private mutating func leased(_ purpose: PushPurpose, _ sender: SenderNumber) -> [DeliveryChange] {
        _ = self[purpose]?.lease(to: sender)
        return []
    }

    /// Ends the lease of a push whose sender is gone; nobody will report APNs' answer to this push.
    ///
    /// The push may have arrived. Even so, it is sent again, unless it is no longer wanted, for example because the message was
    /// recalled.
    private mutating func lapsed(
        _ purpose: PushPurpose, _ rules: SendingRules, _ now: Timestamp
    ) -> [DeliveryChange] {
        guard let push = self[purpose], push.isLeased else { return [] }
        self[purpose]?.endLease()
        let notes = DeliveryNote.abandoned(push, purpose, at: now).map { [DeliveryChange.note($0)] } ?? []
        return notes + cancelledIfUnwanted(purpose, now) + removal(after: purpose, rules, now)
    }

    private mutating func answered(
        _ answer: SentPush, _ verdict: SendVerdict, _ rules: SendingRules
    ) -> [DeliveryChange] {
        guard var push = self[answer.purpose] else { return [] }
        // Adds every answer to the timeline, even if another sender holds the lease by now.
        var changes = answer.notes(verdict, rules).map(DeliveryChange.note)
        guard push.isHeld(under: answer.lease) else {
            // Ignores a repeated answer.
            let isKnown = push.state == .accepted && push.epoch == answer.lease.epoch
            if verdict == .accepted, !isKnown { changes += acceptedLate(answer.purpose, rules, answer.at) }
            return changes
        }
        push.settle(answer, verdict, rules)
        self[answer.purpose] = push
        changes += cancelledIfUnwanted(answer.purpose, answer.at)
        if verdict == .accepted, answer.purpose == .show, answer.revision == show.revision {
            queueSecondPush(rules, at: answer.at)
        }
        return changes + removal(after: answer.purpose, rules, answer.at)
    }

    /// Records that APNs accepted an attempt although the sender's lease had ended before.
    ///
    /// If a removal was sent meanwhile, it may have reached the device before the message. So the removal is sent
    /// again.
    private mutating func acceptedLate(
        _ purpose: PushPurpose, _ rules: SendingRules, _ now: Timestamp
    ) -> [DeliveryChange] {
        self[purpose]?.reach = .accepted
        guard purpose != .notice, let removal, removal.confirmed == nil else { return [] }
        queueSecondPush(rules, at: now)
        return [.sendRemoval]
    }

    /// Ends a waiting push that is no longer wanted, for example because the message was recalled meanwhile.
    private mutating func cancelledIfUnwanted(_ purpose: PushPurpose, _ now: Timestamp) -> [DeliveryChange] {
        guard let push = self[purpose], push.isWaiting else { return [] }
        return switch end(ofUnwanted: purpose, push) {
        case .cancelled(let why): cancel(purpose, why, now)
        case .expired(_, let why): expired(purpose, why, now)
        default: []
        }
    }

    /// Sends the removal that waited for the attempt in flight, or drops it if the message cannot have arrived.
    private mutating func removal(
        after purpose: PushPurpose, _ rules: SendingRules, _ now: Timestamp
    ) -> [DeliveryChange] {
        guard purpose != .notice, let removal, removal.confirmed == nil, !isLeased else { return [] }
        if mayHaveArrived {
            queueSecondPush(rules, at: now)
            return [.sendRemoval]
        }
        self.removal = nil
        return []
    }
}
