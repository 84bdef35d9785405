import CarillonCore
import Foundation

#if os(Linux)  // There the simulated phone has a clock, a network and folders of its own.
    @_spi(Simulation) import UserNotifications
#endif

/// The features of the phone that the SDK needs beyond Apple's notification API, such as a clock, a folder and the network's
/// state.
///
/// The phone is an iPhone, or one of the simulated phones that share a process on Linux.
package struct AppPlatform: Sendable {
    /// The phone's clock; on a simulated phone, the clock that the test advances.
    package var clock: any CarillonClock
    /// The folder in which the SDK keeps its files, in a subfolder `Carillon`.
    package var directory: URL
    /// Whether the phone has a network at this moment; always `true` on iOS, where `URLSession` finds out by itself.
    package var isOnline: @Sendable () -> Bool
    /// The random number generator: the system's, or a simulated phone's with a seed.
    package var randomness: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

    /// The SDK's files, in the subfolder `Carillon` of ``directory``, unless a test has set others.
    package var storeFiles: any StoreFiles {
        get { ownFiles ?? DiskFiles(root: directory.appendingPathComponent("Carillon", isDirectory: true)) }
        set { ownFiles = newValue }
    }

    private var ownFiles: (any StoreFiles)?

    /// Makes the features of a phone for a test; an app uses ``current(appGroup:)``.
    ///
    /// - Parameters:
    ///   - clock: the phone's clock.
    ///   - directory: the folder for the SDK's files; created if it does not exist.
    ///   - isOnline: whether the phone has a network at this moment; called on any thread.
    package init(clock: any CarillonClock, directory: URL, isOnline: @escaping @Sendable () -> Bool) {
        self.clock = clock
        self.directory = directory
        self.isOnline = isOnline
    }

    /// Returns the features of the phone on which this code runs; call it on the main thread, during launch.
    ///
    /// - Parameter appGroup: the App Group shared with the service extension. `nil` keeps the SDK's files in the app's own
    ///   container, where an extension cannot see them. A group that the app is not entitled to counts as `nil`, and is reported
    ///   as ``CarillonEvent/appGroupIsUnusable(_:)``.
    /// - Returns: the features of the simulated phone if this code runs on one, else those of the iPhone.
    package static func current(appGroup: String?) -> AppPlatform {
        let shared = appGroup.flatMap { FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: $0) }
        var platform = AppPlatform(
            clock: SystemClock(), directory: shared ?? applicationSupport, isOnline: { true })
        #if os(Linux)
            if let phone = SimulatedDevices.current {
                platform = AppPlatform(
                    clock: PhoneClock(phone: phone), directory: shared ?? phone.containerDirectory(appGroup: nil),
                    isOnline: { phone.isOnline })
                platform.randomness = SimulatedRandomness(of: phone)
                platform.memory = phone.memory
                if let app = phone as? any SimulatedProcess {
                    platform.region = { (app.locale.identifier, app.timeZone.identifier) }
                    platform.language = { app.locale.identifier }
                }
            }
        #endif
        platform.unusableAppGroup = shared == nil ? appGroup : nil
        return platform
    }

    /// Returns the identifiers of the phone's locale and time zone.
    package private(set) var region: @Sendable () -> (locale: String, timeZone: String) = {
        (Locale.current.identifier, TimeZone.current.identifier)
    }

    /// Returns the identifier of the phone's language, even if the app is not translated into it.
    package private(set) var language: @Sendable () -> String = {
        Locale.preferredLanguages.first ?? Locale.current.identifier
    }

    #if os(Linux)
        private var memory: SimulatedMemory?
    #endif

    /// Returns the phone's only object of a type, such as a cache of the phone's store.
    ///
    /// On Linux, several simulated phones run in one process, and a static variable would be common to all of them.
    ///
    /// - Parameters:
    ///   - ofProcess: the object to return on a real phone; the caller keeps it while the process runs.
    ///   - make: makes the object of a simulated phone, at the first call for that phone.
    /// - Returns: the object of the phone on which this code runs.
    package func shared<Object: AnyObject & Sendable>(_ ofProcess: Object, _ make: () -> Object) -> Object {
        #if os(Linux)
            if let memory { return memory.object(make) }
        #endif
        return ofProcess
    }

    /// The requested App Group if the app does not belong to it; otherwise `nil`.
    package private(set) var unusableAppGroup: String?

    private static var applicationSupport: URL {
        FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true)
    }
}
