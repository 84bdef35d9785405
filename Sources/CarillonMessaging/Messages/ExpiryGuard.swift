import CarillonCore

/// Decides whether a message has expired.
///
/// APNs' own expiration is best effort: APNs may deliver a stored push after its expiration.
package enum ExpiryGuard {
    /// How an expired message ended: the `detail` of its `expired` receipt.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// It arrived after its end and was not shown.
        case arrivedLate = "arrived-late"
        /// It ended while it was in the list, and was removed.
        case removedFromScreen = "removed-from-screen"
        /// It arrived after its end in the service extension, which withheld its text.
        case blanked
    }

    /// The clock's smallest step: a message has expired this long after its last moment.
    static let resolution = Duration.milliseconds(1)

    /// Returns whether a message's last moment has passed.
    ///
    /// - Parameters:
    ///   - until: the last moment; `nil` if the message does not expire.
    ///   - serviceNow: the service's time, from ``ServiceTime``; never the phone's own.
    /// - Returns: `false` at the last moment itself.
    package static func hasExpired(until: Timestamp?, at serviceNow: Timestamp) -> Bool {
        guard let until else { return false }
        return serviceNow > until
    }
}
