/// The parts of a phone that answer the calls of a running app.
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
    var pushes: Pushes { get }
}

/// A call that an app has made to the system.
struct SystemCall: Sendable {
    /// The name of the called method, for the phone's history.
    let name: String
    let cause = PhoneCause.current
    /// Whether the call waits while the app is suspended.
    let needsProcess: Bool
    /// Whether the process's later calls wait as long as this one waits.
    var holdsUpOthers = false
    let run: @MainActor @Sendable (any AppSystem, RunningProcess) -> Void
}
