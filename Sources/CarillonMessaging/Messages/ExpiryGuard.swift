import CarillonCore

/// Decides whether a message has expired.
///
/// APNs' own expiration is best effort: a push that APNs has stored may be delivered after it.
package enum ExpiryGuard {
    /// What became of an expired message: the `detail` of its `expired` receipt.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// It arrived after its end and was not shown.
        case arrivedLate = "arrived-late"
        /// It ended while it was in the list, and was removed.
        case removedFromScreen = "removed-from-screen"
        /// It arrived after its end where only the extension could act, which withheld its text.
        case blanked
    }

    /// After so long a message has expired that could still be seen: the clock's smallest step.
    static let resolution = Duration.milliseconds(1)

    /// Whether the last moment at which a message may be seen has passed.
    ///
    /// - Parameters:
    ///   - until: that moment; `nil` when the message does not expire.
    ///   - serviceNow: the service's clock, from ``ServiceTime``; never the phone's own.
    /// - Returns: `false` at that moment itself.
    package static func hasExpired(until: Timestamp?, at serviceNow: Timestamp) -> Bool {
        guard let until else { return false }
        return serviceNow > until
    }
}
