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
