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
