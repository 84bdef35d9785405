@_spi(Simulation) import UserNotifications

/// The scheduler that gives the main queue to one simulated process at a time, across all phones.
///
/// The scheduler runs a callback of a process, and the blocks that the callback puts on the main queue, before it runs the next
/// callback. All of this code counts as that process's code.
///
/// The program has one scheduler, because it has one main queue. A block on this queue has no task-local values, so nothing in
/// the block tells to which process it belongs. Therefore the queue never contains blocks of two processes at a time.
@MainActor final class ProcessScheduler {
    static let shared = ProcessScheduler()

    private struct Entry {
        let process: RunningProcess
        let name: String
        let cause: PhoneCause?
        /// Whether the callback waits while its process is suspended; otherwise the scheduler drops the callback.
        let waitsForProcess: Bool
        let body: @MainActor () -> Void
        let done: @MainActor (_ hasRun: Bool) -> Void
    }

    private var waiting: [Entry] = []
    private var isBusy = false
    private let rounds = MainQueueRounds()

    private init() {}

    /// Runs `body` as a callback of `process`, after the callbacks that were added earlier.
    ///
    /// The callback waits while the process is suspended, and is dropped when the process ends.
    ///
    /// - Parameters:
    ///   - process: the process of the app or of an extension.
    ///   - name: the name of the called method, for ``Phone/history``.
    ///   - body: calls the method.
    ///   - done: called when the callback and the blocks that it put on the main queue have run, or when the callback was
    ///     dropped. The argument of `done` tells whether `body` ran. The default does nothing.
    func run(
        as process: RunningProcess, _ name: String, _ body: @escaping @MainActor () -> Void,
        done: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        add(process, name, body, done: done)
        next()
    }

    /// Adds a callback to the scheduler's queue without starting it.
    ///
    /// If a callback is running, the new one starts in its turn afterwards. If none is running, call ``reconsider()`` to begin
    /// the next turn.
    ///
    /// - Parameters:
    ///   - process: the process of the app or of an extension.
    ///   - name: the name of the called method, for ``Phone/history``.
    ///   - waitsForProcess: whether the callback waits while the process is suspended, as by default. With `false`, the
    ///     callback is dropped if the process is suspended at the callback's turn.
    ///   - body: calls the method.
    ///   - done: called when the callback and the blocks that it put on the main queue have run, or when the callback was
    ///     dropped. The argument of `done` tells whether `body` ran.
    func add(
        _ process: RunningProcess, _ name: String, waitsForProcess: Bool = true,
        _ body: @escaping @MainActor () -> Void, done: @escaping @MainActor (Bool) -> Void
    ) {
        waiting.append(
            Entry(
                process: process, name: name, cause: .current, waitsForProcess: waitsForProcess, body: body,
                done: done))
        process.turnsWaiting += 1
    }

    /// Starts the next callback that can run, unless one is running already.
    ///
    /// Call this method whenever a process was resumed or has ended, or a callback was added.
    func reconsider() { next() }

    private func next() {
        let index = waiting.firstIndex { $0.process.gate.phase != .suspended || !$0.waitsForProcess }
        guard !isBusy, let index else { return }
        let entry = waiting.remove(at: index)
        isBusy = true
        let hasRun = entry.process.gate.phase == .running
        if hasRun {
            SimulatedDevices.turnHolder = entry.process
            let event = PhoneEvent.Kind.call(entry.name, bundleID: entry.process.bundle.bundleID)
            PhoneCause.$current.withValue(entry.process.kernel.history.note(event, because: entry.cause)) {
                SimulatedDevices.run(as: entry.process, entry.body)
            }
        }
        rounds.pass(hasRun ? PhoneLimits.mainQueueHops : 0) {
            SimulatedDevices.turnHolder = nil
            self.isBusy = false
            entry.process.turnsWaiting -= 1
            PhoneCause.$current.withValue(entry.cause) { entry.done(hasRun) }
            entry.process.kernel.changed(nil)
            self.next()
        }
    }
}
