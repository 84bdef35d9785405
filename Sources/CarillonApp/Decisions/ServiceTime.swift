import CarillonCore

/// What time it is at the service, as well as a phone can know: its own clock may be minutes or years off.
///
/// Two sources: an answer of the service says its `now` at this very moment, which gives the phone's error; a push
/// says when it was *composed*, which may be hours ago, and so is only a moment that has certainly passed.
public struct ServiceTime: Sendable, Hashable, Codable {
    /// By how much the phone's clock is ahead of the service's, in milliseconds.
    private var phoneLeadMilliseconds: Int64 = 0
    /// A moment by the service's clock that has certainly passed.
    private var floor: Timestamp?

    /// 1970 to 9999. What comes from outside may hold any number, and sums must not overflow.
    static let plausible =
        Timestamp(millisecondsSince1970: 0)...Timestamp(millisecondsSince1970: 253_402_300_799_999)

    public init() {}

    /// The service answered just now, and said what time it was when it wrote the answer: some unknown moment between
    /// the question and `phoneNow`.
    ///
    /// A phone whose own clock fits into that span is believed; else the smallest error that fits is assumed. An answer
    /// that was long on its way would otherwise set the clock back, and what has expired would be shown.
    public mutating func heard(_ serviceNow: Timestamp, askedAt: Timestamp, at phoneNow: Timestamp) {
        guard Self.plausible.contains(serviceNow) else { return }
        // A phone whose clock was set back meanwhile knows no span.
        let smallest = (min(askedAt, phoneNow) - serviceNow).wholeMilliseconds
        let largest = (phoneNow - serviceNow).wholeMilliseconds
        phoneLeadMilliseconds = min(max(0, smallest), largest)
        floor = serviceNow
    }

    /// A push arrived that the service composed at `serviceNow`, some unknown time ago.
    public mutating func heardComposed(_ serviceNow: Timestamp) {
        guard Self.plausible.contains(serviceNow) else { return }
        floor = max(floor ?? serviceNow, serviceNow)
    }

    /// The service's clock when the phone's says `phoneNow`.
    public func now(_ phoneNow: Timestamp) -> Timestamp {
        let corrected = phoneNow - .milliseconds(phoneLeadMilliseconds)
        return max(corrected, floor ?? corrected)
    }
}
