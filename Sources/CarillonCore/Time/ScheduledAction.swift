/// A pending call of ``CarillonClock/schedule(at:_:)``.
public struct ScheduledAction: Sendable {
    private let onCancel: @Sendable () -> Void

    /// Wraps what prevents the call.
    ///
    /// - Parameter onCancel: called with each ``cancel()``, from any thread.
    public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    /// Prevents the call if it has not begun; does nothing afterwards.
    public func cancel() { onCancel() }
}
