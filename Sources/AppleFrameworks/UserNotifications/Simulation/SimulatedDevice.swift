import Foundation
import FoundationNetworking

/// The services of a simulated phone for this package's versions of Apple's modules, and for a few lines of the SDK on Linux.
///
/// Apps never see this protocol. It is not part of Apple's API, and requires `@_spi(Simulation) import`.
@_spi(Simulation) public protocol SimulatedDevice: AnyObject, Sendable {
    /// The time by the phone's own clock, which may be wrong.
    var now: Date { get }

    /// The time that has passed on the phone's clock; setting the clock to another date does not change it.
    var uptime: Duration { get }

    /// The identifier for vendor, equal for all apps on this phone; `nil` before the first unlock after a restart.
    var vendorIdentifier: UUID? { get }

    /// Whether the phone's lock lets an app read protected files, and keychain items that need an unlocked phone.
    var isProtectedDataOpen: Bool { get }

    /// Returns a random number from the phone's seed; callable on any thread.
    func randomNumber() -> UInt64

    /// The store for values that code keeps as long as the phone exists.
    var memory: SimulatedMemory { get }

    /// The executor that runs and counts the app's tasks off the main actor.
    var taskExecutor: any TaskExecutor { get }

    /// Returns the executor for one new task of the main actor.
    ///
    /// The task begins on the main queue, after the blocks that wait there. Off the main actor, it runs on ``taskExecutor``.
    func executorOfMainActorTask() -> any TaskExecutor

    /// Whether the phone has a network at this moment.
    var isOnline: Bool { get }

    /// Calls `action` on the main queue, after the phone's clock has advanced by `delay` seconds.
    ///
    /// During the call, ``SimulatedDevices/current`` is this object.
    ///
    /// - Returns: a closure that prevents the call.
    func schedule(after delay: TimeInterval, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void

    /// Records that the running code has put a timer on a run loop of Foundation, where the timer never fires.
    func hasLostTimer()

    /// Records that the running app waits for a thread or for real time, for example in a block on a queue or a sleeping task.
    ///
    /// - Returns: an object that represents the wait; releasing the object ends the wait.
    func beganWaiting() -> any Sendable

    /// Records that the running app has made a URL session, so that the phone can wait for the session's HTTP requests.
    func made(_ session: URLSession)

    /// Returns the folder of the running app or of one of its App Groups; the folder is deleted with the app.
    ///
    /// - Parameter appGroup: the App Group; `nil` means the app's own folder.
    func containerDirectory(appGroup: String?) -> URL
}

/// A generator of random numbers: from the phone's seed, or, outside any phone, from the machine.
@_spi(Simulation) public struct SimulatedRandomness: RandomNumberGenerator, Sendable {
    private let device: (any SimulatedDevice)?

    public init(of device: (any SimulatedDevice)?) { self.device = device }

    public func next() -> UInt64 {
        if let device { return device.randomNumber() }
        var system = SystemRandomNumberGenerator()
        return system.next()
    }
}

/// The phones of this program, with methods that find the phone whose code is running.
@_spi(Simulation) public enum SimulatedDevices {
    /// The phone, or the process on a phone, whose code is running; `nil` if it is unknown.
    ///
    /// In a task that belongs to a phone or a process, the value is that phone or process. For other code on the main queue, the
    /// value is ``turnHolder``: the process whose code the phone runs there at this moment. For all remaining code, the value is
    /// the only running process, or `nil` if no process or more than one is running.
    public static var current: (any SimulatedDevice)? { taskLocal ?? byTurnOrAlone }

    @TaskLocal public static var taskLocal: (any SimulatedDevice)?
}
