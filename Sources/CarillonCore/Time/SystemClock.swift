import Dispatch
import Foundation

/// Real time: the machine's wall clock, and its monotonic clock for waiting.
///
/// Setting the wall clock back or forward does not change the length of a wait.
public final class SystemClock: CarillonClock {
    private let queue = DispatchQueue(label: "carillon.clock")

    private let start = ContinuousClock.now

    /// Makes a clock whose ``uptime`` begins now.
    public init() {}

    /// The machine's wall time, in UTC.
    public var now: Timestamp { Timestamp(Date()) }

    /// The time since this clock was made; it continues while the machine sleeps.
    public var uptime: Duration { ContinuousClock.now - start }

    /// Calls `action` once, on the clock's own queue, when the time until `deadline` has passed.
    ///
    /// - Parameters:
    ///   - deadline: the time of the call, in the current wall time. A later change of the wall clock does not change the wait.
    ///   - action: the code to run; it must be short and must not block, because the queue is serial.
    /// - Returns: a handle whose ``ScheduledAction/cancel()`` prevents the call, unless the call has begun.
    public func schedule(at deadline: Timestamp, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
        let delay = max(0, (deadline - now).wholeMilliseconds)
        // A very long delay is cut to about 68 years, which Dispatch can still count.
        let item = DispatchWorkItem(block: action)
        let bounded = Int(min(delay, Int64(Int32.max) * 1000))
        queue.asyncAfter(deadline: .now() + .milliseconds(bounded), execute: item)
        let cancellable = UncheckedWorkItem(item: item)
        return ScheduledAction { cancellable.item.cancel() }
    }
}

/// A `DispatchWorkItem` that may be used on any thread.
///
/// `@unchecked`: `DispatchWorkItem.cancel()` is safe on any thread, but not every platform declares it `Sendable`.
private struct UncheckedWorkItem: @unchecked Sendable {
    let item: DispatchWorkItem
}
