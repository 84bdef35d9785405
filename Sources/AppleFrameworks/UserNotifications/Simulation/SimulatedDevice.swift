import Foundation
import FoundationNetworking

/// The services of the phone for code that knows it runs on a simulated one: a few lines of the app SDK, for Linux.
///
/// Apps never see this; it is not part of Apple's API, and importing it needs `@_spi(Simulation)`.
@_spi(Simulation) public protocol SimulatedDevice: AnyObject, Sendable {
    /// The phone's own clock, which may be wrong.
    var now: Date { get }

    /// The time for which the phone's clock has been running, whatever its time was set to.
    var uptime: Duration { get }

    /// The identifier for vendor, equal for all apps on this phone; `nil` before the first unlock after a restart.
    var vendorIdentifier: UUID? { get }

    /// Returns a random number from the phone's seed; for any thread.
    func randomNumber() -> UInt64

    /// The values that code keeps for the life of the phone.
    var memory: SimulatedMemory { get }

    /// The executor that runs, and counts, the work of the app's tasks off the main actor.
    var taskExecutor: any TaskExecutor { get }

    /// Whether the phone has a network at this moment.
    var isOnline: Bool { get }

    /// Calls `action` on the main queue, as this phone, once its clock has advanced by `delay` seconds.
    ///
    /// - Returns: a closure that prevents the call.
    func schedule(after delay: TimeInterval, _ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void

    /// Notes that the running code has put a timer on a run loop of Foundation's, where it never fires.
    func hasLostTimer()

    /// Notes that the running app waits for a thread or for real time, as a block on a queue or a sleeping task does.
    ///
    /// The wait ends when the result is released.
    func beganWaiting() -> any Sendable

    /// Notes that the running app has made a session, whose requests are under way outside of the phone.
    func made(_ session: URLSession)

    /// Returns the folder of the running app (`nil`), or of one of its App Groups; it is deleted with the app.
    func containerDirectory(appGroup: String?) -> URL
}

/// The random numbers of the phone whose code is running; the machine's outside of any phone.
@_spi(Simulation) public struct SimulatedRandomness: RandomNumberGenerator, Sendable {
    private let device: (any SimulatedDevice)?

    public init(of device: (any SimulatedDevice)?) { self.device = device }

    public func next() -> UInt64 {
        if let device { return device.randomNumber() }
        var system = SystemRandomNumberGenerator()
        return system.next()
    }
}

/// Finds the phone whose code is running.
@_spi(Simulation) public enum SimulatedDevices {
    /// The phone whose code is running; `nil` outside of any phone.
    ///
    /// It is the phone of the running task, else the one that has its turn on the main queue, else the only one.
    public static var current: (any SimulatedDevice)? { taskLocal ?? byTurnOrAlone }

    @TaskLocal public static var taskLocal: (any SimulatedDevice)?
}
