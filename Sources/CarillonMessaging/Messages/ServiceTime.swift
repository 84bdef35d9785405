import CarillonCore

/// The service's clock, as well as a phone can know it: the phone's own clock may be minutes or years off.
///
/// There are two sources. An answer of the service says what time it is there now, which gives the phone's error. A push
/// says when it was *composed*, which may be hours ago, so that this moment has only certainly passed.
package struct ServiceTime: Sendable, Hashable, Codable {
    /// By how much the phone's clock is ahead of the service's, in milliseconds.
    private var phoneLeadMilliseconds: Int64 = 0
    /// A moment by the service's clock that has certainly passed.
    private var floor: Timestamp?

    package init() {}

    /// The service has answered, and said what time it was there.
    ///
    /// The service wrote that at some unknown moment between the request and `phoneNow`. A phone whose own clock fits into
    /// that span is believed; else the smallest error that fits is assumed. A slow answer would otherwise set the clock
    /// back, so that expired messages would be shown.
    ///
    /// - Parameters:
    ///   - serviceNow: what the answer says; ignored outside of ``AppLimits/plausibleTimes``.
    ///   - askedAt: the phone's clock when the request was sent.
    ///   - phoneNow: the phone's clock now.
    package mutating func heard(_ serviceNow: Timestamp, askedAt: Timestamp, at phoneNow: Timestamp) {
        guard AppLimits.plausibleTimes.contains(serviceNow) else { return }
        // A phone whose clock was set back since the request knows no span.
        let smallest = (min(askedAt, phoneNow) - serviceNow).wholeMilliseconds
        let largest = (phoneNow - serviceNow).wholeMilliseconds
        phoneLeadMilliseconds = min(max(0, smallest), largest)
        floor = serviceNow
    }

    /// A push has arrived that the service composed at `serviceNow`, some unknown time ago.
    mutating func heardComposed(_ serviceNow: Timestamp) {
        guard AppLimits.plausibleTimes.contains(serviceNow) else { return }
        floor = max(floor ?? serviceNow, serviceNow)
    }

    /// Joins what another process of this app has heard: the later word of the service counts.
    package mutating func join(_ other: ServiceTime) {
        guard let heard = other.floor else { return }
        if let floor, heard <= floor { return }
        self = other
    }

    /// The service's clock when the phone's says `phoneNow`.
    package func now(_ phoneNow: Timestamp) -> Timestamp {
        let corrected = phoneNow - .milliseconds(phoneLeadMilliseconds)
        return max(corrected, floor ?? corrected)
    }
}

/// Decides which badge number counts: the newest that the service has sent.
///
/// The service counts the user's unread messages; the phone only shows the number. Pushes and answers of the service
/// overtake one another, and an answer from before a push must not undo it.
package struct BadgeState: Sendable, Hashable, Codable {
    /// When the service composed the number that is shown.
    private var newest: Timestamp?

    package init() {}

    /// Decides about a number that has come.
    ///
    /// - Parameter moment: when the service composed it, by its clock; `nil` for a number that the app itself sets, which
    ///   always counts.
    /// - Returns: whether the number is to be shown.
    package mutating func accepts(composedAt moment: Timestamp?) -> Bool {
        guard let moment else { return true }
        guard moment >= newest ?? moment else { return false }
        newest = moment
        return true
    }

    /// Joins what was shown while the store could not be read.
    package mutating func join(_ other: BadgeState) { newest = [newest, other.newest].compactMap(\.self).max() }
}

/// Decides whether a message has expired.
///
/// APNs' own expiration is best effort: a push that APNs has stored may be delivered after it.
package enum ExpiryGuard {
    /// How an expired message ended: the `detail` of its `expired` receipt.
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
