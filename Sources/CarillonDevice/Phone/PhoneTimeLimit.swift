import CarillonCore

/// A limit of real time that counts down only while the main actor makes progress.
///
/// The limit counts down in steps, and each step ends with a job on the main actor. Therefore a phone on a busy machine does
/// not time out only because the main actor has served other phones first.
@MainActor final class PhoneTimeLimit {
    /// Whether the limit has passed.
    private(set) var isReached = false
    /// The real time that remains of the limit.
    private var left: Duration
    private let onEnd: @MainActor () -> Void
    private var timer: ScheduledAction?
    private var isStarted = false

    /// Makes a limit that has not started yet.
    ///
    /// - Parameters:
    ///   - limit: real time, independent of the phone's clock.
    ///   - onEnd: called once when the limit has passed, unless ``cancel()`` was called before.
    init(_ limit: Duration, onEnd: @escaping @MainActor () -> Void = {}) {
        left = limit
        self.onEnd = onEnd
    }

    /// Starts the limit; further calls do nothing.
    ///
    /// Its timer wakes another thread, which costs more than a whole push. So start it only when real time will pass.
    func start() {
        guard !isStarted else { return }
        isStarted = true
        waitForStep()
    }

    /// Cancels the limit, so that it never passes.
    func cancel() {
        isStarted = true
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
