import Dispatch
import Foundation
import FoundationNetworking
import Synchronization

/// A running app, or a running extension of the app, on a phone.
///
/// In its code, `UNUserNotificationCenter.current()` returns ``notificationCenter``.
@_spi(Simulation) public protocol SimulatedProcess: SimulatedDevice {
    var notificationCenter: UNUserNotificationCenter { get }

    /// The app's `URLSession.shared`.
    var sharedSession: URLSession { get }

    /// Adds a timer to the phone's clock, and not to the main run loop; the timer is due after `seconds`.
    func add(_ timer: Timer, dueAfter seconds: TimeInterval)

    /// The phone's language and region when the app was launched.
    var locale: Locale { get }

    /// The phone's time zone.
    var timeZone: TimeZone { get }

    /// The rules by which the phone finds the next date of a notification trigger, including the time zone.
    var triggerCalendar: TriggerCalendar { get }

    /// The `CFBundleIdentifier` of the app, also in the app's extensions.
    var bundleIdentifier: String { get }

    /// The entitlement `aps-environment` of the app: `development` or `production`; `nil` if the app does not have the
    /// entitlement.
    var apsEnvironment: String? { get }

    /// Whether Low Power Mode is on.
    var isLowPowerModeEnabled: Bool { get }

    /// The App Groups that the app belongs to.
    var appGroups: Set<String> { get }

    /// Returns the text for `key` in the app's strings, with `arguments` filled in; `nil` if there is no such text.
    func localized(key: String, arguments: [String]) -> String?

    /// The app's `Bundle.main`, also in its extensions.
    var mainBundle: Bundle { get }

    /// The settings behind the app's `UserDefaults`.
    var preferences: AppPreferences { get }

    /// Reports a mistake of the app, for which the phone ends the process or only records the mistake; usable from any thread.
    ///
    /// - Parameters:
    ///   - name: the raw value of CarillonDevice's `AppMistake`.
    ///   - detail: the value that iOS does not accept, for the phone's record of events.
    func hasMade(mistake name: String, _ detail: String)

    /// Donates a message or a call to the phone; the completion handler is called later, on the main thread.
    func donate(_ donation: InteractionDonation, completion: @escaping @Sendable () -> Void)

    /// Deletes donations.
    ///
    /// If both `identifiers` and `groupIdentifier` are `nil`, deletes all donations.
    func deleteDonations(
        identifiers: [String]?, groupIdentifier: String?, completion: @escaping @Sendable () -> Void)
}

extension SimulatedDevices {
    /// The simulated process whose code is running; `nil` if it is unknown.
    ///
    /// In a task that belongs to a process, the value is that process. For other code on the main queue, the value is
    /// ``turnHolder``: the process whose code the phone runs there at this moment. For all remaining code, the value is the only
    /// running process, or `nil` if no process or more than one is running.
    @_spi(Simulation) public static var currentProcess: (any SimulatedProcess)? {
        current as? any SimulatedProcess
    }

    /// The simulated process to which the current task belongs; `nil` for other code, such as a test's own.
    static var taskProcess: (any SimulatedProcess)? { taskLocal as? any SimulatedProcess }

    /// The simulated process to which the code on the main queue belongs at this moment; `nil` if there is none. The phone sets
    /// it.
    @_spi(Simulation) public static var turnHolder: (any SimulatedProcess)? {
        get { registry.withLock(\.turnHolder) }
        set { registry.withLock { $0.turnHolder = newValue } }
    }

    /// Records that a simulated process has begun to run.
    ///
    /// Some code has no task and does not run on the main queue, so nothing shows to which process it belongs; an example is a
    /// completion handler of Foundation's own `URLSession`. While exactly one process is running, such code counts as code of
    /// that process.
    @_spi(Simulation) public static func began(_ process: any SimulatedProcess) {
        let entry = WeakProcess(process: process)
        registry.withLock { $0.running[ObjectIdentifier(process)] = entry }
    }

    @_spi(Simulation) public static func ended(_ process: any SimulatedProcess) {
        registry.withLock { $0.running[ObjectIdentifier(process)] = nil }
    }

    static var byTurnOrAlone: (any SimulatedProcess)? {
        registry.withLock { registry in
            // Code off the main queue does not belong to the process that has the main queue.
            if let holder = registry.turnHolder, isOnMainQueue { return holder }
            let running = registry.running.values.compactMap(\.process)
            return running.count == 1 ? running.first : nil
        }
    }

    private struct Registry {
        var turnHolder: (any SimulatedProcess)?
        var running: [ObjectIdentifier: WeakProcess] = [:]
    }

    private struct WeakProcess: Sendable {
        weak let process: (any SimulatedProcess)?
    }

    static func isRunning(_ process: any SimulatedProcess) -> Bool {
        registry.withLock { $0.running[ObjectIdentifier(process)] != nil }
    }

    /// Whether the calling code runs on the main queue.
    ///
    /// `Thread.isMainThread` does not tell, because on Linux any thread may serve the main queue.
    @_spi(Simulation) public static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueueKey) ?? false }

    private static let mainQueueKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    private static let registry = Mutex(Registry())
}
