import CarillonCore

/// Decides whether a message may still be seen. APNs' own expiration is best effort: what was stored may arrive late.
public enum ExpiryGuard {
    /// Why a message is not on the screen (any more): the `detail` of its `expired` receipt.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// It came after its end and was never shown.
        case arrivedLate = "arrived-late"
        /// It ended while it was on the screen, and was taken away.
        case removedFromScreen = "removed-from-screen"
        /// It came after its end where only the extension could act, which emptied it.
        case blanked
    }

    /// - Parameters:
    ///   - until: the last moment at which the message may be seen; `nil` means that it does not expire.
    ///   - serviceNow: the service's clock, from ``ServiceTime``; never the phone's own.
    public static func hasExpired(until: Timestamp?, at serviceNow: Timestamp) -> Bool {
        guard let until else { return false }
        return serviceNow > until
    }
}
