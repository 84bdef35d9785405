import CoreFoundation
import Foundation

/// The fire dates of the next timers of Foundation's run loops.
///
/// In a program with an async `main`, or in a test, nothing runs these loops.
public struct NativeTimers: Sendable, Hashable {
    /// The fire date of the next timer of this thread's loop; 0 if there is none.
    private let current: Double
    private let main: Double

    public static var next: NativeTimers {
        NativeTimers(
            current: CFRunLoopGetNextTimerFireDate(CFRunLoopGetCurrent(), kCFRunLoopDefaultMode),
            main: CFRunLoopGetNextTimerFireDate(CFRunLoopGetMain(), kCFRunLoopDefaultMode))
    }

    /// Returns whether this thread's loop or the main loop has a next timer whose fire date is not the one in `before`.
    ///
    /// A loop without timers does not count. A new timer that fires after an older timer goes unnoticed.
    public func hasGained(since before: NativeTimers) -> Bool {
        (current != before.current && current != 0) || (main != before.main && main != 0)
    }
}
