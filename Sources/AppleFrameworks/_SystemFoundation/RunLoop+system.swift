import Foundation

extension RunLoop {
    /// Calls Foundation's `add(_:forMode:)`.
    public func systemAdd(_ timer: Timer, forMode mode: RunLoop.Mode) { add(timer, forMode: mode) }

    /// Calls Foundation's `perform(_:)`.
    public func systemPerform(_ block: @escaping @Sendable () -> Void) { perform(block) }
}
