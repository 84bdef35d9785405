import Dispatch
import Foundation

/// Real time: `now` is the machine's wall clock, waiting uses its monotonic one, so that a clock set back or forward
/// while something waits neither hurries it nor holds it up.
public final class SystemClock: CarillonClock {
    private let queue = DispatchQueue(label: "carillon.clock")

    private let start = ContinuousClock.now

    public init() {}

    public var now: Timestamp { Timestamp(Date()) }

    public var uptime: Duration { ContinuousClock.now - start }

    public func schedule(at deadline: Timestamp, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
        let delay = max(0, (deadline - now).wholeMilliseconds)
        // A delay beyond what Dispatch can count (292 years) is as good as never.
        let item = DispatchWorkItem(block: action)
        let bounded = Int(min(delay, Int64(Int32.max) * 1000))
        queue.asyncAfter(deadline: .now() + .milliseconds(bounded), execute: item)
        let cancellable = UncheckedWorkItem(item: item)
        return ScheduledAction { cancellable.item.cancel() }
    }
}

/// `DispatchWorkItem.cancel()` may be called from any thread, but the type is not marked so on every platform.
private struct UncheckedWorkItem: @unchecked Sendable {
    let item: DispatchWorkItem
}
