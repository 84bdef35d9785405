import CarillonCore
import Foundation

#if os(Linux)  // There the simulated phone has a clock, a network and folders of its own.
    @_spi(Simulation) import UserNotifications
#endif

/// What the SDK needs of the phone beyond Apple's notification API: a clock, a folder, and whether there is a network.
public struct AppPlatform: Sendable {
    /// The phone's clock; on a simulated phone, the one that the test advances.
    public var clock: any CarillonClock
    /// The folder in which the SDK keeps its files, in a subfolder `Carillon`.
    public var directory: URL
    /// Whether the phone has a network at this moment; on iOS always `true`, because `URLSession` finds out by itself.
    public var isOnline: @Sendable () -> Bool
    /// Where chance comes from: the system, or the seed of a simulated phone.
    public var randomness: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

    /// The SDK's files, in a folder `Carillon` of ``directory``, unless a test has its own.
    package var storeFiles: any StoreFiles {
        get { ownFiles ?? DiskFiles(root: directory.appendingPathComponent("Carillon", isDirectory: true)) }
        set { ownFiles = newValue }
    }

    private var ownFiles: (any StoreFiles)?

    /// Makes a platform of a test's own; an app uses ``current(appGroup:)``.
    ///
    /// - Parameters:
    ///   - clock: the phone's.
    ///   - directory: where the SDK keeps its files; created if it does not exist.
    ///   - isOnline: whether the phone has a network at this moment; called on any thread.
    public init(clock: any CarillonClock, directory: URL, isOnline: @escaping @Sendable () -> Bool) {
        self.clock = clock
        self.directory = directory
        self.isOnline = isOnline
    }

    /// The phone on which this code runs; to be called on the main thread, during launch.
    ///
    /// - Parameter appGroup: the App Group shared with the service extension; `nil` keeps the SDK's files in the
    ///   app's own container, where an extension cannot see them. A group that the app is not entitled to counts as
    ///   `nil`, and is reported as ``CarillonEvent/appGroupIsUnusable(_:)``.
    /// - Returns: the simulated phone's where there is one, else the real one's.
    public static func current(appGroup: String?) -> AppPlatform {
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
                }
            }
        #endif
        platform.unusableAppGroup = shared == nil ? appGroup : nil
        return platform
    }

    /// Language and region, and the time zone, by their identifiers.
    package private(set) var region: @Sendable () -> (locale: String, timeZone: String) = {
        (Locale.current.identifier, TimeZone.current.identifier)
    }

    #if os(Linux)
        private var memory: SimulatedMemory?
    #endif

    /// An object that the SDK keeps for as long as its process runs: on a simulated phone, for as long as that is there.
    ///
    /// - Parameters:
    ///   - ofProcess: the process's, which a real phone has.
    ///   - make: makes that of a simulated phone.
    /// - Returns: the one of the two that belongs to this process.
    package func shared<Object: AnyObject & Sendable>(_ ofProcess: Object, _ make: () -> Object) -> Object {
        #if os(Linux)
            if let memory { return memory.object(make) }
        #endif
        return ofProcess
    }

    /// The App Group that was asked for and is none of the app's.
    package private(set) var unusableAppGroup: String?

    private static var applicationSupport: URL {
        FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true)
    }
}
