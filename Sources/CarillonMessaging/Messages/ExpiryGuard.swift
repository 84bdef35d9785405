import CarillonCore

/// The rule that decides whether a message has expired.
///
/// APNs' own expiration is best effort: APNs may deliver a stored push after its expiration.
package enum ExpiryGuard {
    /// The reason in the `detail` of an `expired` receipt.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The message arrived after its expiration and was not shown.
        case arrivedLate = "arrived-late"
        /// The message expired while it was in Notification Center, and was removed.
        case removedFromScreen = "removed-from-screen"
        /// The message arrived in the service extension after its expiration, and the extension withheld the text.
        case blanked
    }

    /// The resolution of the clock, 1 ms: a message is valid up to and including ``PushMessage/until``, and has expired 1 ms
    /// later.
    static let resolution = Duration.milliseconds(1)

    /// Returns whether a message has expired.
    ///
    /// - Parameters:
    ///   - until: the last moment at which the message may be seen; `nil` if it does not expire.
    ///   - serviceNow: the service's time, from ``ServiceTime``; never the phone's own.
    /// - Returns: `true` after `until`; `false` at the moment `until` itself.
    package static func hasExpired(until: Timestamp?, at serviceNow: Timestamp) -> Bool {
        guard let until else { return false }
        return serviceNow > until
    }
}
