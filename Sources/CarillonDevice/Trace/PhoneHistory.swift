import CarillonCore

/// The events of a phone, in the order in which they happened.
@MainActor final class PhoneHistory {
    private nonisolated let clock: any CarillonClock
    /// The newest events, oldest first: all that the phone keeps, and perhaps some older ones.
    ///
    /// Older events are removed only when the list has twice as many as ``PhoneLimits/events``, because removal takes time.
    private var kept: [PhoneEvent] = []
    private var lastNumber = 0

    init(clock: any CarillonClock) { self.clock = clock }

    /// The events that the phone keeps, oldest first.
    var events: [PhoneEvent] { kept.suffix(PhoneLimits.events) }

    /// Adds an event.
    ///
    /// - Parameters:
    ///   - kind: the kind of event.
    ///   - cause: the event that has led to the new event; the default is the current cause.
    /// - Returns: a reference to the new event, for use as the cause of later events.
    @discardableResult
    func note(_ kind: PhoneEvent.Kind, because cause: PhoneCause? = .current) -> PhoneCause {
        lastNumber += 1
        let phone = ObjectIdentifier(self)
        // The cause may be on another phone, whose event numbers mean nothing here.
        let number = cause.flatMap { $0.phone == phone ? $0.event : nil }
        kept.append(PhoneEvent(number: lastNumber, at: clock.now, cause: number, kind: kind))
        if kept.count >= 2 * PhoneLimits.events { kept.removeFirst(kept.count - PhoneLimits.events) }
        return PhoneCause(phone: phone, event: lastNumber)
    }

    /// Adds the event ``PhoneEvent/Kind/realTime``, because a caller waits for real time to pass; does nothing if this is already
    /// the newest event.
    func noteRealTime() { if kept.last?.kind != .realTime { note(.realTime, because: nil) } }

    /// Returns the event with this number, its cause, the cause's own cause, and so on, as far back as events are kept.
    func causes(of number: Int) -> [PhoneEvent] {
        var found: [PhoneEvent] = []
        var next: Int? = number
        while let number = next, let event = event(number) {
            found.append(event)
            next = event.cause
        }
        return found
    }

    /// Returns the event with this number; `nil` if it is no longer kept.
    ///
    /// The number gives the position, because the numbers have no gaps.
    private func event(_ number: Int) -> PhoneEvent? {
        let fromEnd = lastNumber - number
        return fromEnd >= 0 && fromEnd < min(kept.count, PhoneLimits.events) ? kept[kept.count - 1 - fromEnd] : nil
    }
}
