import CarillonCore

extension Timestamp {
    /// Parses the `Date` of an answer, in the form that servers must send ([RFC 9110
    /// §5.6.7](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7)); returns `nil` for any other form.
    package init?(httpDate text: String) {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard
            let parts = text.wholeMatch(
                of: /[A-Z][a-z]{2}, ([0-9]{2}) ([A-Z][a-z]{2}) ([0-9]{4}) ([0-9]{2}:[0-9]{2}:[0-9]{2}) GMT/),
            let month = months.firstIndex(of: String(parts.2))
        else { return nil }
        self.init(rfc3339: "\(parts.3)-\(month < 9 ? "0" : "")\(month + 1)-\(parts.1)T\(parts.4)Z")
    }
}

extension APNsRejection {
    /// Whether a wrong clock on this machine can be the reason for the rejection.
    ///
    /// APNs compares a provider token's time with its own clock.
    private var mayBeTheClock: Bool { reason == .expiredProviderToken || reason == .invalidProviderToken }

    /// The error of this machine's clock that explains the rejection, such as `this machine's clock is 1 h 0 min slow`.
    ///
    /// The value is `nil` if the rejection has another reason, the answer has no `Date`, or the clock is accurate to a minute.
    public var clockError: String? {
        guard mayBeTheClock, let clockLead else { return nil }
        let isFast = clockLead > .zero
        let minutes = (isFast ? clockLead : .zero - clockLead).components.seconds / 60
        guard minutes > 0 else { return nil }
        // A fast clock cannot make a token too old, and a slow clock cannot date a token in the future.
        guard isFast == (reason == .invalidProviderToken) else { return nil }
        let time = minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
        return "this machine's clock is \(time) \(isFast ? "fast" : "slow")"
    }

    /// A sentence that says what to do after the rejection, for a person who sends one push by hand.
    ///
    /// The text is the advice of ``remedy``, unless this machine's clock is wrong or may be wrong.
    public var advice: String {
        if let clockError {
            return
                "\(clockError.prefix(1).uppercased())\(clockError.dropFirst()), by the Date of the answer: set it, for "
                + "example with timedatectl, and send again."
        }
        guard mayBeTheClock, clockLead == nil else { return remedy.advice }
        return reason == .expiredProviderToken
            ? "APNs refuses a new provider token as too old: is this machine's clock slow? Compare 'date -u' with another "
                + "clock, set it, and send again."
            : "\(remedy.advice) A fast clock makes provider tokens invalid too: compare 'date -u' with another clock."
    }
}
