import CarillonCore

/// A limit of real time that passes no faster than the main actor works.
///
/// It passes in steps, and each step ends with a turn of the main actor. Where many phones share a busy machine, a phone that
/// waits for its turns therefore does not time out because other phones were served first.
@MainActor final class PhoneTimeLimit {
    /// Whether the limit has passed.
    private(set) var isReached = false
    /// The time that has not passed.
    private var left: Duration
    private let onEnd: @MainActor () -> Void
    private var timer: ScheduledAction?

    /// Starts the limit.
    ///
    /// - Parameters:
    ///   - limit: real time, independent of the phone's clock.
    ///   - onEnd: called once when the limit has passed, unless it was cancelled before.
    init(_ limit: Duration, onEnd: @escaping @MainActor () -> Void = {}) {
        left = limit
        self.onEnd = onEnd
        waitForStep()
    }

    /// Ends the limit: it is never reached afterwards.
    func cancel() {
        timer?.cancel()
        timer = nil
    }

    private func waitForStep() {
        let step = min(left, PhoneLimits.waitingStep)
        timer = Self.realTime.schedule(after: step) { Task { @MainActor [weak self] in self?.pass(step) } }
    }

    private func pass(_ step: Duration) {
        guard timer != nil else { return }
        left -= step
        guard left <= .zero else { return waitForStep() }
        isReached = true
        onEnd()
    }

    private static let realTime = SystemClock()
}
