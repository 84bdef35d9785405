import Dispatch
import Foundation
import _SystemFoundation

/// Replaces Foundation's timers in files that import UserNotifications or UIKit: these timers follow the phone's clock.
///
/// A timer fires on the main queue, while the app that made it runs. A timer that becomes due while the app is
/// suspended fires once when the app is resumed. All timers end with the app. Foundation's own timers would never fire: on
/// Linux nothing runs the main run loop of a test, or of a program with an async `main`.
///
/// Differs from iOS: `fireDate` and other dates are in the machine's time, like `Date()`; only their distance from now counts.
/// A changed `fireDate` takes effect only at the time at which the timer would have fired without the change. In a file with a
/// line `import Foundation`, a timer made with `{ timer in … }` is Foundation's and never fires; the phone's trace says so. A
/// file that imports UIKit does not need this line.
extension Timer {
    // Disfavoured, because a file that imports Foundation by name could not distinguish these methods from Foundation's. The
    // variants for a block that does not use its argument are preferred in every file, because their block takes any object.

    @_disfavoredOverload @preconcurrency @discardableResult
    public class func scheduledTimer(
        withTimeInterval interval: TimeInterval, repeats: Bool, block: @escaping @Sendable (Timer) -> Void
    ) -> Timer {
        let timer = Timer(from: interval, repeats: repeats, block: block)
        RunLoop.current.add(timer, dueAfter: interval)
        return timer
    }

    @preconcurrency @discardableResult
    public class func scheduledTimer(
        withTimeInterval interval: TimeInterval, repeats: Bool, block: @escaping @Sendable (NSObject) -> Void
    ) -> Timer {
        let timer = Timer(from: interval, repeats: repeats) { block($0) }
        RunLoop.current.add(timer, dueAfter: interval)
        return timer
    }

    @_disfavoredOverload @preconcurrency
    public convenience init(
        timeInterval interval: TimeInterval, repeats: Bool, block: @escaping @Sendable (Timer) -> Void
    ) {
        self.init(from: interval, repeats: repeats, block: block)
    }

    @preconcurrency
    public convenience init(
        timeInterval interval: TimeInterval, repeats: Bool, block: @escaping @Sendable (NSObject) -> Void
    ) {
        self.init(from: interval, repeats: repeats) { block($0) }
    }

    /// Makes a timer that is due an interval from now.
    ///
    /// Foundation's own initializer with an interval does not do this: on Linux (Swift 6.3), its timer is due at once.
    private convenience init(from interval: TimeInterval, repeats: Bool, block: @escaping @Sendable (Timer) -> Void) {
        self.init(fire: Date(timeIntervalSinceNow: interval), interval: interval, repeats: repeats, block: block)
    }
}

extension RunLoop {
    /// Adds a timer to this loop; if this is the main loop, adds the timer to the phone's clock instead.
    ///
    /// In code on the main queue, `RunLoop.current` counts as the main loop, although on Linux any thread may run that code. An
    /// app must run the loops of its own threads itself.
    @_disfavoredOverload public func add(_ timer: Timer, forMode mode: RunLoop.Mode) {
        add(timer, forMode: mode, dueAfter: timer.fireDate.timeIntervalSinceNow)
    }

    fileprivate func add(_ timer: Timer, forMode mode: RunLoop.Mode = .default, dueAfter seconds: TimeInterval) {
        guard let process = SimulatedDevices.currentProcess, isMain else {
            return systemAdd(timer, forMode: mode)
        }
        process.add(timer, dueAfter: seconds)
    }

    /// Runs the block later: on the main queue if this is the main loop, else on this loop.
    @_disfavoredOverload @preconcurrency public func perform(_ block: @escaping @Sendable () -> Void) {
        if isMain { DispatchQueue.main.async(execute: block) } else { systemPerform(block) }
    }

    /// Whether this is the main thread's loop, or the current loop of code on the main queue.
    private var isMain: Bool { self === RunLoop.main || SimulatedDevices.isOnMainQueue && self === RunLoop.current }
}
