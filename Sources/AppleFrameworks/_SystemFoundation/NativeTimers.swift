import CoreFoundation
import Foundation

/// What is on Foundation's run loops. Nobody runs them in a program with an async `main`, or in a test.
public enum NativeTimers {
    /// When the next timer of this thread's loop, and of the main one, would fire; equal to an earlier answer as long as
    /// no other timer has become the next.
    public static var next: [Double] {
        [CFRunLoopGetCurrent(), CFRunLoopGetMain()].map { CFRunLoopGetNextTimerFireDate($0, kCFRunLoopDefaultMode) }
    }
}
