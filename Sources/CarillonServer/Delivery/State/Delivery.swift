import CarillonCore

/// The state of one message on one device: its pushes, their progress, and the request to remove the message.
///
/// The delivery decides: ``received(_:_:at:)`` applies an event and returns the changes to make. A store stores the delivery and
/// makes the changes. docs/delivery-states.md has the diagram.
package struct Delivery: Sendable, Hashable {
    package var mode: DeliveryMode
    /// The user that the message is addressed to; `nil` for a message to everyone or to a device.
    package var user: String?
    /// Whether the message was recalled from all devices.
    package var isRecalled = false
    /// Whether the sending of the message was cancelled, so that no further push is sent.
    package var isCancelled = false
    /// Whether the message's deliveries are kept as bitmaps (``RangeRules``), not in one row for each device.
    package var isRanged = false
    /// Whether the message is delivered now or never (``MessageEnd/now``), so that its pushes are tried only for a short time.
    package var isNowOrNever = false
    /// The first push, which carries the message.
    package var show: Push
    /// The visible push of a message with ``DeliveryMode/assured``, for a device that has not reported the message as shown after
    /// the silent push; `nil` if none was queued.
    package var fallback: Push?
    /// The quiet push that replaces a recalled message if the device does not confirm the removal; `nil` if none was
    /// queued.
    package var notice: Push?
    /// Whether the recall asks for a notice, a push that replaces the message if the device does not confirm the removal.
    package var hasNotice = false
    package var removal: RemovalRequest?
    /// The events that the device has reported about the message's newest revision, which the push ``show`` carries.
    package var answers: ReceiptSet = []
    /// The number of consecutive silent pushes for which the device has sent no receipt.
    package var silentUnanswered = 0

    package init(mode: DeliveryMode, user: String?, show: Push) {
        self.mode = mode
        self.user = user
        self.show = show
    }

    /// Whether the message may be on the phone, because its first push or its fallback (a visible push after a silent one) may
    /// have arrived.
    package var mayHaveArrived: Bool { show.mayHaveArrived || fallback?.mayHaveArrived == true }
    package var isLeased: Bool { show.isLeased || fallback?.isLeased == true }

    /// The delivery's push with this purpose; `nil` if there is none.
    package subscript(purpose: PushPurpose) -> Push? {
        get {
            switch purpose {
            case .show: show
            case .fallback: fallback
            case .notice: notice
            case .removal, .badge, .tokenCheck, .tokenClaim, .liveActivity, .widgets: nil
            }
        }
        set {
            switch purpose {
            case .show: show = newValue ?? show
            case .fallback: fallback = newValue
            case .notice: notice = newValue
            case .removal, .badge, .tokenCheck, .tokenClaim, .liveActivity, .widgets: break
            }
        }
    }

    /// Returns the event that ends a waiting push, if the push must not be sent any more.
    ///
    /// - Parameters:
    ///   - purpose: the purpose of the push.
    ///   - device: the device's present state.
    ///   - until: the time at which the message expires; `nil` for never.
    ///   - rules: the rules that limit how long a push waits.
    ///   - now: the present time.
    /// - Returns: the event; `nil` if the push may be sent.
    package func hindrance(
        to purpose: PushPurpose, _ device: DeviceStanding, until: Timestamp?, _ rules: SendingRules, at now: Timestamp
    ) -> DeliveryEvent? {
        guard let push = self[purpose] else { return nil }
        if !device.isReachable { return .cancelled("the device has no valid token") }
        if let user, !UserID.isEqual(user, device.user) { return .cancelled(Removal.Reason.signOut.cancellation) }
        if let end = end(ofUnwanted: purpose, push) { return end }
        if let until, until <= now { return .expired(purpose, Removal.Reason.expired.cancellation) }
        let isNow = isNowOrNever && purpose != .notice
        let lifetime = rules.lifetime(isNowOrNever: isNow, isRanged: isRanged)
        guard push.queued + lifetime <= now else { return nil }
        let days = lifetime.components.seconds / (24 * 3600)
        let why = isNow ? "it could not be sent at once" : "it waited for \(days) days"
        return .expired(purpose, "not sent: \(why)")
    }

    /// Returns the event that ends a push which is no longer wanted; `nil` if the push is wanted.
    ///
    /// The decision considers only the message and its removal, not the device or the time.
    func end(ofUnwanted purpose: PushPurpose, _ push: Push) -> DeliveryEvent? {
        guard let why = unwanted(purpose, push) else { return nil }
        return removal?.reason == .expired && purpose != .notice ? .expired(purpose, why) : .cancelled(why)
    }

    private func unwanted(_ purpose: PushPurpose, _ push: Push) -> String? {
        if purpose == .notice {
            return SecondPush.notice.isNeeded(by: self) ? nil : "not needed: the device has reported"
        }
        if let removal, removal.revision >= push.revision { return removal.reason.cancellation }
        if isRecalled { return Removal.Reason.recall.cancellation }
        if isCancelled { return SendingChange.cancellation }
        return purpose == .fallback && answers.isAnswer ? "not needed: the device has reported" : nil
    }
}

/// A device's state when the service is about to send a push to it.
package struct DeviceStanding: Sendable, Hashable {
    /// Whether the device has a token, and the token is not known to be invalid.
    package var isReachable: Bool
    /// The user who is signed in on the device; `nil` if none is.
    package var user: String?

    package init(isReachable: Bool, user: String?) {
        self.isReachable = isReachable
        self.user = user
    }
}
