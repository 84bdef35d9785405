import CarillonCore

/// Converts between a device's bits in a ``RangeChunk`` and a ``Delivery``, the state of the message on that device.
extension RangeChunk {
    /// Returns the delivery of a device, made from the bits that this ``RangeChunk`` stores for the device.
    ///
    /// - Parameters:
    ///   - place: the device's position in this chunk.
    ///   - message: the chunk's message.
    ///   - silentUnanswered: the number of consecutive silent pushes for which the device has sent no receipt. The default is 0.
    /// - Returns: the delivery; `nil` if the message is not addressed to the device, or if the delivery is stored in
    ///   database rows.
    package func delivery(at place: Int, of message: RangedMessage, silentUnanswered: Int = 0) -> Delivery? {
        guard self[.addressed].contains(place), !self[.row].contains(place) else { return nil }
        var delivery = Delivery(mode: message.mode, user: nil, show: push(at: place, message))
        delivery.isRanged = true
        delivery.isNowOrNever = message.isNowOrNever
        delivery.isRecalled = message.isRecalled
        delivery.isCancelled = message.isCancelled
        delivery.hasNotice = message.hasNotice
        delivery.silentUnanswered = silentUnanswered
        delivery.answers = answers(at: place)
        delivery.removal = removal(at: place, of: message)
        if let followDue, !self[.followed].contains(place), let second = SecondPush.next(for: delivery) {
            delivery[second.purpose] = Push(revision: revision, queued: followDue, due: followDue)
        }
        return delivery
    }

    /// Returns the receipts that the device at a position of this ``RangeChunk`` has sent about the message.
    package func answers(at place: Int) -> ReceiptSet {
        ReceiptSet(ReceiptEvent.allCases.filter { self[ChunkMark($0)].contains(place) })
    }

    private func push(at place: Int, _ message: RangedMessage) -> Push {
        let start = message.start(due: due)
        var push = Push(revision: revision, queued: start, due: start)
        push.reach = former(at: place)
        guard self[.handed].contains(place) else {
            push.state = place < position ? .cancelled : rest
            return push
        }
        (push.attempt, push.tries, push.epoch, push.reachBefore) = (1, 1, epoch, push.reach)
        if self[.accepted].contains(place) {
            (push.state, push.reach) = (.accepted, .accepted)
        } else if let sender {
            push.reach = max(push.reach, .possible)
            (push.sender, push.inFlight) = (sender, Attempt(revision: revision, number: 1))
        } else {
            // Neither the sender nor the device exists any more, so no answer will come.
            (push.state, push.reach) = (.unanswered, max(push.reach, .possible))
        }
        return push
    }

    /// Returns how certain it is that an earlier revision of the message reached the device at a position of this ``RangeChunk``.
    private func former(at place: Int) -> Reach {
        self[.formerlyAccepted].contains(place)
            ? .accepted : self[.formerlyHanded].contains(place) ? .possible : .none
    }

    /// Returns the removal request for the device at a position of this ``RangeChunk``; `nil` if the device need not remove the
    /// message.
    func removal(at place: Int, of message: RangedMessage) -> RemovalRequest? {
        let reasons: [(ChunkMark, Removal.Reason, Timestamp?)] = [
            (.withdrawn, .recall, withdrawnAt), (.ended, .expired, endedAt), (.replaced, .replaced, replacedAt),
        ]
        guard let (_, reason, since) = reasons.first(where: { self[$0.0].contains(place) }) else { return nil }
        let moment = since ?? message.accepted
        return RemovalRequest(
            reason, revision: revision, requested: moment,
            confirmed: self[.confirmed].contains(place) ? moment : nil)
    }

    /// Stores the new state of a delivery in this ``RangeChunk``'s bits, if the bits can express that state.
    ///
    /// - Parameters:
    ///   - delivery: the new state.
    ///   - place: the device's position in this chunk.
    ///   - message: the chunk's message.
    /// - Returns: whether the bits express the state. If not, nothing changes, and the caller must store the delivery in rows.
    package mutating func keep(_ delivery: Delivery, at place: Int, of message: RangedMessage) -> Bool {
        var kept = self
        if delivery.show.state == .accepted {
            kept[.handed].insert(place)
            kept[.accepted].insert(place)
        }
        kept.note(delivery.answers, at: place)
        if let removal = delivery.removal {
            let mark: ChunkMark? = [.recall: .withdrawn, .expired: .ended, .replaced: .replaced][removal.reason]
            guard let mark else { return false }
            kept[mark].insert(place)
            if removal.confirmed != nil { kept[.confirmed].insert(place) }
        }
        let said = kept.delivery(at: place, of: message, silentUnanswered: delivery.silentUnanswered)
        guard said.map(Self.comparable) == Self.comparable(delivery) else { return false }
        self = kept
        return true
    }

    /// Records receipts from the device at a position of this ``RangeChunk``, even if the device's delivery is stored
    /// in database rows.
    package mutating func note(_ answers: ReceiptSet, at place: Int) {
        for event in ReceiptEvent.allCases where answers.contains(ReceiptSet(event)) {
            self[ChunkMark(event)].insert(place)
        }
    }

    /// Returns a delivery without its times, because this ``RangeChunk``'s bits store none of them.
    private static func comparable(_ delivery: Delivery) -> Delivery {
        var delivery = delivery
        let revision = delivery.removal?.revision
        if let removal = delivery.removal, let revision {
            let moment = delivery.show.queued
            delivery.removal = RemovalRequest(
                removal.reason, revision: revision, requested: moment, confirmed: removal.confirmed.map { _ in moment })
        }
        // `reachBefore` has no meaning once the attempt has ended.
        if !delivery.show.isLeased { delivery.show.reachBefore = .none }
        delivery.fallback = delivery.fallback.flatMap(comparable)
        delivery.notice = delivery.notice.flatMap(comparable)
        return delivery
    }

    /// Returns a copy of a fallback or notice (``SecondPush``) without the time at which it was queued, because the bits of a
    /// ``RangeChunk`` do not store that time.
    ///
    /// In the copy, the due time stands in its place. The result is `nil` for a push that ended before it was ever sent, because
    /// the bits do not store such a push.
    private static func comparable(_ push: Push) -> Push? {
        guard push.tries > 0 || push.state == .queued else { return nil }
        var push = push
        push.queued = push.due
        return push
    }
}
