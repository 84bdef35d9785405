import CarillonCore

/// A push that may follow the first push of a delivery: a fallback after a silent push, or a notice after a recall.
///
/// The type decides whether such a push follows, and when it is due. Most of its methods decide for one delivery;
/// ``devices(in:of:)`` decides for all devices of a ``RangeChunk``.
package enum SecondPush: Sendable, Hashable {
    /// The visible push of a message with ``DeliveryMode/assured``, for a device that has not reported the message as shown after
    /// the silent push.
    case fallback
    /// The quiet push that replaces a recalled message if the device has not confirmed the message's removal.
    case notice

    var purpose: PushPurpose { self == .fallback ? .fallback : .notice }

    // MARK: Which

    /// Determines whether a message may have a fallback (a visible push after a silent one) or a notice (which replaces a
    /// recalled message); `nil` if it may have neither.
    ///
    /// - Parameters:
    ///   - mode: the message's mode.
    ///   - isRecalled: whether the message is recalled.
    ///   - hasNotice: whether the recall asks for a notice.
    ///   - isCancelled: whether the sending of the message was cancelled.
    private init?(mode: DeliveryMode, isRecalled: Bool, hasNotice: Bool, isCancelled: Bool) {
        switch (isRecalled, mode) {
        case (true, _) where hasNotice: self = .notice
        case (false, .assured) where !isCancelled: self = .fallback
        default: return nil
        }
    }

    init?(of delivery: Delivery) {
        self.init(
            mode: delivery.mode, isRecalled: delivery.isRecalled, hasNotice: delivery.hasNotice,
            isCancelled: delivery.isCancelled)
    }

    package init?(of message: RangedMessage) {
        self.init(
            mode: message.mode, isRecalled: message.isRecalled, hasNotice: message.hasNotice,
            isCancelled: message.isCancelled)
    }

    // MARK: Whether

    /// Returns the push to queue now after a delivery's first push; `nil` if there is none.
    ///
    /// A fallback is a visible push after a silent one. A notice replaces a recalled message.
    static func next(for delivery: Delivery) -> SecondPush? {
        guard let second = SecondPush(of: delivery), second.isNeeded(by: delivery), second.mayFollow(delivery) else {
            return nil
        }
        return second
    }

    /// Returns whether a delivery needs this push, whether or not the push is queued already.
    ///
    /// A fallback (a visible push after a silent one) is needed only while the device has sent no receipt other than `received`.
    /// A notice (which replaces a recalled message) is needed only while the device has neither confirmed the removal nor
    /// reported the message as opened, dismissed or expired.
    func isNeeded(by delivery: Delivery) -> Bool {
        guard self == SecondPush(of: delivery) else { return false }
        return switch self {
        case .fallback: delivery.removal == nil && !delivery.answers.isAnswer
        case .notice: delivery.removal.map { $0.confirmed == nil } == true && !delivery.answers.isSettled
        }
    }

    /// Returns whether the first push has progressed far enough for this push to follow.
    ///
    /// A notice replaces a message on the screen, and must not appear if there was no message. So APNs must have
    /// accepted the message's push. After a silent push, the SDK must have reported the message as shown. A notice is
    /// queued once for each revision.
    private func mayFollow(_ delivery: Delivery) -> Bool {
        switch self {
        case .fallback: return delivery.show.state == .accepted
        case .notice where delivery.isLeased || (delivery.notice?.revision ?? 0) >= delivery.show.revision: return false
        case .notice where delivery.mode == .visible:
            return delivery.show.reach == .accepted || !delivery.answers.isEmpty
        case .notice: return delivery.fallback?.reach == .accepted || delivery.answers.contains(ReceiptSet(.shown))
        }
    }

    // MARK: When

    /// Returns the due time of this push for a delivery.
    ///
    /// Until then, the device can make the push unnecessary with a receipt. A device that has sent no receipt for its last silent
    /// pushes gets the push at once.
    ///
    /// - Parameters:
    ///   - delivery: the delivery.
    ///   - rules: the waits.
    ///   - now: the time at which APNs accepted the first push, or at which the removal was requested.
    /// - Returns: the due time.
    func due(for delivery: Delivery, _ rules: SendingRules, at now: Timestamp) -> Timestamp {
        Self.isAtOnce(delivery, rules) ? now : due(isRanged: delivery.isRanged, rules, at: now)
    }

    /// Returns the due time of this push; until then, the device can make it unnecessary with a receipt.
    ///
    /// If the message's deliveries are kept as bitmaps, a bit for each device (``RangeRules``), a fallback (a visible push after
    /// a silent one) waits longer, because the receipts of many devices come in gradually.
    ///
    /// - Parameters:
    ///   - isRanged: whether the message's deliveries are kept as bitmaps.
    ///   - rules: the waits.
    ///   - now: the time at which the wait begins.
    /// - Returns: the due time.
    func due(isRanged: Bool, _ rules: SendingRules, at now: Timestamp) -> Timestamp {
        now + (self == .fallback && isRanged ? rules.broadcastWait : rules.assuredWait)
    }

    /// Returns whether a delivery's fallback or notice (``SecondPush``) is due at once, because the device has sent no receipt
    /// for its last silent pushes.
    static func isAtOnce(_ delivery: Delivery, _ rules: SendingRules) -> Bool {
        delivery.silentUnanswered >= unansweredBeforeAtOnce(rules)
    }

    /// Returns the number of consecutive silent pushes without a receipt after which a device's next fallback or notice
    /// (``SecondPush``) is due at once.
    static func unansweredBeforeAtOnce(_ rules: SendingRules) -> Int { rules.silentBeforeFallbackAtOnce }
}

extension Delivery {
    /// Queues the delivery's fallback or notice (``SecondPush``), if it is needed and the first push has progressed far enough.
    mutating func queueSecondPush(_ rules: SendingRules, at now: Timestamp) {
        guard let second = SecondPush.next(for: self) else { return }
        let due = second.due(for: self, rules, at: now)
        var push = self[second.purpose] ?? Push(revision: show.revision, queued: now, due: due)
        push.requeue(revision: show.revision, at: now, due: due)
        self[second.purpose] = push
    }
}
