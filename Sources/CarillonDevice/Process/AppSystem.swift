/// The parts of a phone that carry out the requests of running apps and extensions to the system.
@MainActor protocol AppSystem: AnyObject, Sendable {
    var device: DeviceState { get }
    var apps: InstalledApps { get }
    var records: PhoneRecords { get }
    var connection: PushConnection { get }
    var life: AppLife { get }
    var background: Background { get }
    var notifications: Notifications { get }
    var person: Person { get }
    var telephony: Telephony { get }
    var liveActivities: LiveActivities { get }
    var widgets: PhoneWidgets { get }
    var pushes: Pushes { get }
}

/// A method call from an app to the system, which the phone carries out later.
struct SystemCall: Sendable {
    /// The name of the called method, for ``Phone/history``.
    let name: String
    let cause = PhoneCause.current
    /// Whether the call waits while the app is suspended.
    let needsProcess: Bool
    /// Whether the process's later calls wait until this one has been carried out.
    var holdsUpOthers = false
    let run: @MainActor @Sendable (any AppSystem, RunningProcess) -> Void
}
