import CarillonCore

/// The phone's estimate of the service's clock, because the phone's own clock may be minutes or years off.
///
/// There are two sources. An answer of the service contains the service's current time, which reveals the error of the phone's
/// clock. A push contains the time when it was *composed*, possibly hours ago, so it only proves that this time has passed.
package struct ServiceTime: Sendable, Hashable, Codable {
    /// The milliseconds by which the phone's clock is ahead of the service's.
    private var phoneLeadMilliseconds: Int64 = 0
    /// The latest time, by the service's clock, that the service has sent to this phone; `nil` if it has sent none yet.
    ///
    /// The service's present time is never earlier.
    private var floor: Timestamp?

    package init() {}

    /// Corrects the estimate of the service's clock with the time that an answer of the service contains.
    ///
    /// The service read its clock at some unknown moment between the request and `phoneNow`. If the phone's clock agrees with any
    /// moment in this interval, the phone's clock counts as correct; otherwise the smallest possible error is assumed. Without
    /// this rule, a slow answer would set the estimate back, and expired messages would be shown.
    ///
    /// - Parameters:
    ///   - serviceNow: the service's time in the answer; ignored outside ``AppLimits/plausibleTimes``.
    ///   - askedAt: the phone's time when the request was sent.
    ///   - phoneNow: the phone's time now.
    package mutating func heard(_ serviceNow: Timestamp, askedAt: Timestamp, at phoneNow: Timestamp) {
        guard AppLimits.plausibleTimes.contains(serviceNow) else { return }
        // If the phone's clock was set back since the request, there is no span.
        let smallest = (min(askedAt, phoneNow) - serviceNow).wholeMilliseconds
        let largest = (phoneNow - serviceNow).wholeMilliseconds
        phoneLeadMilliseconds = min(max(0, smallest), largest)
        floor = serviceNow
    }

    /// Corrects the estimate of the service's clock with a push that the service composed at `serviceNow`, an unknown time ago.
    mutating func heardComposed(_ serviceNow: Timestamp) {
        guard AppLimits.plausibleTimes.contains(serviceNow) else { return }
        floor = max(floor ?? serviceNow, serviceNow)
    }

    /// Replaces this estimate of the service's clock with `other`, if `other` is based on a later reading of that clock.
    ///
    /// - Parameter other: the estimate that another process of this app has made.
    package mutating func join(_ other: ServiceTime) {
        guard let heard = other.floor else { return }
        if let floor, heard <= floor { return }
        self = other
    }

    /// Returns the service's time for the phone's time `phoneNow`.
    package func now(_ phoneNow: Timestamp) -> Timestamp {
        let corrected = phoneNow - .milliseconds(phoneLeadMilliseconds)
        return max(corrected, floor ?? corrected)
    }

    /// Returns the first moment at which one of several messages has expired.
    ///
    /// - Parameters:
    ///   - ends: the last moments of the messages, by the service's clock; those that have passed are ignored.
    ///   - phoneNow: the phone's time.
    /// - Returns: the moment, by the phone's clock; `nil` if none of the messages will expire.
    func firstMoment(after ends: [Timestamp], at phoneNow: Timestamp) -> Timestamp? {
        let now = now(phoneNow)
        return ends.filter { $0 >= now }.min().map { phoneNow + ($0 - now) + ExpiryGuard.resolution }
    }
}
