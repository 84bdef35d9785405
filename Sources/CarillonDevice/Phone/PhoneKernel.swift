import CarillonCore
import Foundation
@_spi(Simulation) import UserNotifications

/// The services that every part of a phone uses: clock, random numbers, rules, main queue and observers.
///
/// The kernel does not depend on any of the parts.
@MainActor final class PhoneKernel {
    nonisolated let clock: any CarillonClock
    nonisolated let mailbox: PhoneMailbox
    /// Whether the apps' tasks off the main actor run on the main queue, in order (``PhoneConfiguration/runsTasksInOrder``).
    let runsTasksInOrder: Bool
    let observers: PhoneObservers
    let tasks: OutstandingTasks
    let handlers = AwaitedHandlers()
    let history: PhoneHistory
    /// The rules of iOS that this phone follows.
    var rules: PhoneRules {
        didSet { whenRulesChange() }
    }
    /// Called after each change of ``rules``, for copies of the rules that apps read on any thread.
    var whenRulesChange: @MainActor () -> Void = {}
    private var random: SeededGenerator
    /// The generator of the apps' random numbers.
    ///
    /// This generator is separate from the phone's own, so that an app's use of random numbers does not change the phone's
    /// random numbers.
    private var appRandom: SeededGenerator
    /// The values that this phone's code keeps instead of static variables, which would outlive the phone.
    nonisolated let memory = SimulatedMemory()

    init(_ configuration: PhoneConfiguration) {
        clock = configuration.clock
        rules = configuration.rules
        runsTasksInOrder = configuration.runsTasksInOrder
        random = SeededGenerator(seed: configuration.seed)
        var seeds = random
        appRandom = seeds.fork()
        observers = PhoneObservers()
        history = PhoneHistory(clock: clock)
        mailbox = PhoneMailbox(observers: observers, history: history)
        tasks = OutstandingTasks(observers: observers)
    }

    var now: Timestamp { clock.now }

    /// Publishes a change of the phone; each task that waits for a state of the phone then evaluates its condition again.
    ///
    /// With `nil`, nothing visible has changed, but the conditions are evaluated.
    func changed(_ change: PhoneChange?) {
        if let change { history.note(.change(change)) }
        observers.changed(change)
    }

    func randomUUID() -> UUID { UUID(seededBy: &random) }

    func randomBytes(_ count: Int) -> Data {
        Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }

    /// Returns a random number generator for one process of an app.
    func randomnessForProcess() -> SeededGenerator { appRandom.fork() }

    // MARK: scheduling and causes

    /// Calls `body` on the main queue once the clock has reached `deadline`.
    ///
    /// In ``Phone/history``, the ``PhoneCause`` that is current now becomes the cause of the later call.
    nonisolated func schedule(
        at deadline: Timestamp, _ body: @escaping @MainActor @Sendable () -> Void
    ) -> ScheduledAction {
        let cause = PhoneCause.current
        // A weak reference to the kernel would make every use of the kernel slower, so the timer refers to the mailbox.
        return clock.schedule(at: deadline) { [weak mailbox] in mailbox?.postTimer(because: cause, body) }
    }

    /// Calls `body` on the main queue once the clock has advanced by `seconds`; see ``schedule(at:_:)``.
    nonisolated func schedule(
        afterSeconds seconds: Int, _ body: @escaping @MainActor @Sendable () -> Void
    ) -> ScheduledAction {
        schedule(at: clock.now + .seconds(seconds), body)
    }

    /// Calls `body`, and records `action` in ``Phone/history`` as the cause of everything that `body` does.
    func doing<Value, Failure: Error>(
        _ action: PhoneAction, _ body: @MainActor () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await PhoneCause.$current.withValue(history.note(.action(action))) {
            do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Calls `body` without suspending, and records `action` in ``Phone/history`` as the cause of everything that `body` does.
    func doingAtOnce<Value, Failure: Error>(
        _ action: PhoneAction, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result: Result<Value, Failure> = PhoneCause.$current.withValue(history.note(.action(action))) {
            do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    // MARK: apps

    /// Calls code of a simulated process when no other process is using the main queue, and returns when the call is over.
    ///
    /// The call is over when `body` has returned and the blocks that it put on the main queue have run.
    ///
    /// - Parameters:
    ///   - process: the process of the app or of an extension.
    ///   - name: the name of the called method, for ``Phone/history``.
    ///   - waitsForProcess: `true`, the default, waits while the process is suspended, perhaps for ever; `false` drops the call
    ///     if the process is suspended when the main queue is free.
    ///   - body: calls the method.
    /// - Returns: whether the call took place.
    @discardableResult
    func call(
        _ process: RunningProcess, _ name: String, waitsForProcess: Bool = true,
        _ body: @escaping @MainActor () -> Void
    ) async -> Bool {
        let over = PendingAnswer<Bool>()
        // The call keeps its position in the scheduler's queue, but blocks that are already on the main queue run first.
        ProcessScheduler.shared.add(process, name, waitsForProcess: waitsForProcess, body) { over.give($0) }
        MainQueueExecutor.nextRound { ProcessScheduler.shared.reconsider() }
        return await over.wait() ?? false
    }

    /// Calls code of a simulated process: immediately if no other process is using the main queue, otherwise when the queue is
    /// free.
    ///
    /// Calls `then` when `body` and the blocks that it put on the main queue have run. The argument is `false` if `body` was not
    /// called.
    func call(
        _ process: RunningProcess, _ name: String, _ body: @escaping @MainActor () -> Void,
        then: @escaping @MainActor (Bool) -> Void
    ) {
        ProcessScheduler.shared.run(as: process, name, body, done: then)
    }
}

extension UUID {
    /// Makes a repeatable random UUID (version 4) from a seeded generator.
    init(seededBy generator: inout SeededGenerator) {
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        self = UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }

    /// Makes the UUID of a phone: different for each phone, and constant for the phone's life.
    init(ofPhone id: String) {
        var random = SeededGenerator(seed: id.utf8.reduce(17) { $0 &* 31 &+ UInt64($1) })
        let (high, low) = (random.next(), random.next())
        func byte(_ number: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: number >> (8 * index)) }
        self = UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5), byte(high, 6),
                byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5),
                byte(low, 6), byte(low, 7)
            ))
    }
}
