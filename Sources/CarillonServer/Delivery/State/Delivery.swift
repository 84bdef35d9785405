import CarillonCore

/// One message on one device: its pushes, what may have reached the phone, and whether it is to leave it again.
///
/// A value that decides: ``received(_:_:at:)`` takes what has happened and returns what is to be done. A store keeps it and
/// does what it says; docs/delivery-states.md has the diagram.
package struct Delivery: Sendable, Hashable {
    package var mode: DeliveryMode
    /// The person it is addressed to; `nil` when it is for everyone or for a device.
    package var user: String?
    /// Whether the message was taken back from everyone.
    package var isRecalled = false
    /// Whether nothing further of the message is to be shown that was not sent already.
    package var isCancelled = false
    /// The push that brings the message.
    package var show: Push
    /// The visible push that follows a silent one which nobody answered (delivery mode assured).
    package var fallback: Push?
    /// The quiet push that takes a recalled message's place where its removal is not confirmed.
    package var notice: Push?
    /// Whether the recall asks for such a notice.
    package var hasNotice = false
    package var removal: RemovalRequest?
    /// What the device has reported about the revision of ``show``.
    package var answers: ReceiptSet = []
    /// How many silent pushes in a row the device has not answered, for which a visible one had to stand in.
    package var silentUnanswered = 0

    package init(mode: DeliveryMode, user: String?, show: Push) {
        self.mode = mode
        self.user = user
        self.show = show
    }

    /// Whether anything of it may be on the phone.
    package var mayHaveArrived: Bool { show.mayHaveArrived || fallback?.mayHaveArrived == true }
    package var isLeased: Bool { show.isLeased || fallback?.isLeased == true }

    /// One of its pushes.
    package subscript(purpose: PushPurpose) -> Push? {
        get {
            switch purpose {
            case .show: show
            case .fallback: fallback
            case .notice: notice
            case .removal, .badge, .tokenCheck, .tokenClaim: nil
            }
        }
        set {
            switch purpose {
            case .show: show = newValue ?? show
            case .fallback: fallback = newValue
            case .notice: notice = newValue
            case .removal, .badge, .tokenCheck, .tokenClaim: break
            }
        }
    }

    /// Why a push that waits must not be sent (any more); `nil` when it may be.
    ///
    /// - Parameters:
    ///   - purpose: which of its pushes.
    ///   - device: the device as it is now.
    ///   - until: when the message expires.
    ///   - rules: how long a push is tried.
    ///   - now: the moment.
    /// - Returns: the event that ends it.
    package func hindrance(
        to purpose: PushPurpose, _ device: DeviceStanding, until: Timestamp?, _ rules: SendingRules, at now: Timestamp
    ) -> DeliveryEvent? {
        guard let push = self[purpose] else { return nil }
        if !device.isReachable { return .cancelled("the device has no valid token") }
        if let user, !UserID.isEqual(user, device.user) { return .cancelled(Removal.Reason.signOut.cancellation) }
        if let end = end(ofUnwanted: purpose, push) { return end }
        if let until, until <= now { return .expired(purpose, Removal.Reason.expired.cancellation) }
        if push.queued + rules.lifetime <= now {
            let days = rules.lifetime.components.seconds / (24 * 3600)
            return .expired(purpose, "not sent: it waited for \(days) days")
        }
        return nil
    }

    /// The event that ends a push which is not wanted any more, whatever its device and its time; `nil` when it is.
    func end(ofUnwanted purpose: PushPurpose, _ push: Push) -> DeliveryEvent? {
        guard let why = unwanted(purpose, push) else { return nil }
        return removal?.reason == .expired && purpose != .notice ? .expired(purpose, why) : .cancelled(why)
    }

    private func unwanted(_ purpose: PushPurpose, _ push: Push) -> String? {
        if purpose == .notice { return isNoticeWanted ? nil : "not needed: the device has reported" }
        if let removal, removal.revision >= push.revision { return removal.reason.cancellation }
        if isRecalled { return Removal.Reason.recall.cancellation }
        if isCancelled { return SendingChange.cancellation }
        return purpose == .fallback && answers.isAnswer ? "not needed: the device has reported" : nil
    }

    /// Whether a notice still has something to take the place of.
    var isNoticeWanted: Bool {
        guard hasNotice, isRecalled, let removal else { return false }
        return removal.confirmed == nil && !answers.isSettled
    }

    /// Whether a visible push is to follow the silent one.
    var isFallbackWanted: Bool {
        mode == .assured && !answers.isAnswer && removal == nil && !isRecalled && !isCancelled
    }

    /// Whether the person may have it before their eyes: a notice may appear nowhere else.
    ///
    /// What APNs has accepted, and not what may or may not have reached it; and from a silent push the SDK makes a
    /// notification only where it may run, and reports that.
    var mayBeOnScreen: Bool {
        if mode == .visible { return show.reach == .accepted || !answers.isEmpty }
        return fallback?.reach == .accepted || answers.contains(ReceiptSet(.shown))
    }
}

/// What a device is at the moment at which a push is about to be sent to it.
package struct DeviceStanding: Sendable, Hashable {
    /// Whether it has a token that is not known to be invalid.
    package var isReachable: Bool
    /// Who is signed in.
    package var user: String?

    package init(isReachable: Bool, user: String?) {
        self.isReachable = isReachable
        self.user = user
    }
}
