import CarillonCore

/// The facts about a message's removal from one device that determine the recall's outcome.
package struct RemovalStanding: Sendable, Hashable {
    /// Whether the message was recalled from all devices, or is removed because its `until` has passed.
    package var isWithdrawn: Bool
    /// Whether the message has expired, because its `until` has passed.
    ///
    /// In that case, a device need not remove the message if the device reported it as opened, dismissed or expired.
    package var hasExpired: Bool
    /// Whether the device was asked to remove the message.
    package var isRequested: Bool
    package var isConfirmed: Bool
    /// Whether APNs has accepted the notice that replaces the message.
    package var hasNotice: Bool
    package var mayHaveArrived: Bool
    /// Whether the phone reported the message as opened, dismissed or expired (``ReceiptSet/isSettled``).
    package var isSettled: Bool

    package init(
        isWithdrawn: Bool, hasExpired: Bool, isRequested: Bool, isConfirmed: Bool, hasNotice: Bool,
        mayHaveArrived: Bool, isSettled: Bool
    ) {
        self.isWithdrawn = isWithdrawn
        self.hasExpired = hasExpired
        self.isRequested = isRequested
        self.isConfirmed = isConfirmed
        self.hasNotice = hasNotice
        self.mayHaveArrived = mayHaveArrived
        self.isSettled = isSettled
    }

    /// The outcome of a recall, or of another removal of the message, on this device; `nil` if there is no removal.
    ///
    /// There is an outcome as soon as ``isWithdrawn`` is true, even if the service has not asked this device to remove the
    /// message yet.
    package var outcome: RecallOutcome? {
        if isRequested { return isConfirmed ? .confirmed : hasNotice ? .replaced : .pending }
        guard isWithdrawn else { return nil }
        guard mayHaveArrived else { return .neverSent }
        return hasExpired && isSettled ? .confirmed : .pending
    }
}
