import Foundation

extension RunLoop {
    /// Calls Foundation's `add(_:forMode:)`, which UserNotifications replaces for apps.
    public func systemAdd(_ timer: Timer, forMode mode: RunLoop.Mode) { add(timer, forMode: mode) }

    /// Calls Foundation's `perform(_:)`, which UserNotifications replaces for apps.
    public func systemPerform(_ block: @escaping @Sendable () -> Void) { perform(block) }
}
