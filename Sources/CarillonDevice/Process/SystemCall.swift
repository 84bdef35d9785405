/// A call of the app to the system, on its way.
struct SystemCall: Sendable {
    /// Whether it gets no further while the app is suspended.
    let needsProcess: Bool
    let run: @MainActor @Sendable (Phone, RunningProcess) -> Void
}
