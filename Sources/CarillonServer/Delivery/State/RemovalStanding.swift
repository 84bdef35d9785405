import CarillonCore

/// What is known of a message's removal from one device, and how that is told.
package struct RemovalStanding: Sendable, Hashable {
    /// Whether the message was taken back from everyone, or is removed because its `until` has passed.
    package var isWithdrawn: Bool
    /// Whether its end was that its `until` has passed, so that what the phone has dealt with needs no removal.
    package var hasExpired: Bool
    /// Whether the device is asked to remove it.
    package var isRequested: Bool
    package var isConfirmed: Bool
    /// Whether APNs has accepted the notice in its place.
    package var hasNotice: Bool
    package var mayHaveArrived: Bool
    /// Whether the phone has said that the person is done with it (``ReceiptSet/isSettled``).
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

    /// How it is told; `nil` when the message was not taken from this device.
    ///
    /// It is right from the moment at which the message is marked, also where the device's turn has not come yet.
    package var outcome: RecallOutcome? {
        if isRequested { return isConfirmed ? .confirmed : hasNotice ? .replaced : .pending }
        guard isWithdrawn else { return nil }
        guard mayHaveArrived else { return .neverSent }
        return hasExpired && isSettled ? .confirmed : .pending
    }
}
