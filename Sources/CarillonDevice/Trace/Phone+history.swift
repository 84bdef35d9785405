extension Phone {
    /// Everything that has happened on the phone, in one order, oldest first; the newest 4096.
    ///
    /// The same inputs give the same list, in every process: what a person did, when the clock was advanced, and what the
    /// apps do by themselves on the main actor. What an app does on other threads comes when it comes; and while the apps
    /// of other phones run in the same process, how long a call waits depends on them.
    public var history: [PhoneEvent] { kernel.history.events }

    /// Returns an event, its cause, the cause of that one, and so on, as far back as ``history`` reaches.
    ///
    /// - Parameter number: of the event.
    /// - Returns: the event first; nothing for one that is no longer kept.
    public func causes(of number: Int) -> [PhoneEvent] { kernel.history.causes(of: number) }
}
