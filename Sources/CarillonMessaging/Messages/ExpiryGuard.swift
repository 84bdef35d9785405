import CarillonCore

/// Decides whether a message has expired.
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

    /// The resolution of the clock, 1 ms: a message has expired from this long after its last moment on.
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
