/// A call of the app to the system, on its way.
struct SystemCall: Sendable {
    /// The method that the app has called, as it stands in the history.
    let name: String
    let cause = PhoneCause.current
    /// Whether it gets no further while the app is suspended.
    let needsProcess: Bool
    let run: @MainActor @Sendable (any AppSystem, RunningProcess) -> Void
}
