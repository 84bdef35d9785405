extension Phone {
    /// All events on the phone, in one order, oldest first; the newest 4096.
    ///
    /// Equal inputs give equal lists in every process: a person's actions, the advances of the clock, and the work of the
    /// apps on the main actor. The work of an app on other threads is listed when it arrives. While apps of other phones run
    /// in the process, the wait of a call depends on them.
    public var history: [PhoneEvent] { kernel.history.events }

    /// Returns an event, its cause, the cause of that one, and so on, as far back as ``history`` reaches.
    ///
    /// - Parameter number: the number of the event.
    /// - Returns: the event first; nothing for one that is no longer kept.
    public func causes(of number: Int) -> [PhoneEvent] { kernel.history.causes(of: number) }
}
