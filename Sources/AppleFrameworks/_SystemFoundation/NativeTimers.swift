import CoreFoundation
import Foundation

/// The fire dates of the next timers of Foundation's run loops.
///
/// Nothing runs these loops in a program with an async `main`, or in a test.
public struct NativeTimers: Sendable, Hashable {
    /// The fire date of the next timer of this thread's loop; 0 without one.
    private let current: Double
    private let main: Double

    public static var next: NativeTimers {
        NativeTimers(
            current: CFRunLoopGetNextTimerFireDate(CFRunLoopGetCurrent(), kCFRunLoopDefaultMode),
            main: CFRunLoopGetNextTimerFireDate(CFRunLoopGetMain(), kCFRunLoopDefaultMode))
    }

    /// Whether another timer has become the next, on either loop; not noticed of one that is due after an earlier one.
    public func hasGained(since before: NativeTimers) -> Bool {
        (current != before.current && current != 0) || (main != before.main && main != 0)
    }
}
