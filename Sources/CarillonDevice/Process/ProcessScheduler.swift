@_spi(Simulation) import UserNotifications

/// Gives the main queue to one process at a time, across all phones.
///
/// The callback of that process, and the blocks that it puts on the main queue, run as that process. There is one scheduler for
/// the whole program, because there is one main queue. `DispatchQueue.main.async` loses the calling task, so a block finds its
/// phone only if no other phone's code is on the queue meanwhile.
@MainActor final class ProcessScheduler {
    static let shared = ProcessScheduler()

    private struct Entry {
        let process: RunningProcess
        let name: String
        let cause: PhoneCause?
        /// Whether a turn waits if its process is suspended before it comes; otherwise the turn is dropped.
        let waitsForProcess: Bool
        let body: @MainActor () -> Void
        let done: @MainActor (_ hasRun: Bool) -> Void
    }

    private var waiting: [Entry] = []
    private var isBusy = false
    private let rounds = MainQueueRounds()

    private init() {}

    /// Runs `body` as `process` when its turn comes and the process runs.
    ///
    /// It waits while the process is suspended, and never runs after the process has ended.
    ///
    /// - Parameters:
    ///   - process: the process of the app or of an extension.
    ///   - name: the name of the called method in the history.
    ///   - body: calls the method.
    ///   - done: called when the turn is over, with whether `body` ran and with the current cause; the default does nothing.
    func run(
        as process: RunningProcess, _ name: String, _ body: @escaping @MainActor () -> Void,
        done: @escaping @MainActor (Bool) -> Void = { _ in }
    ) {
        add(process, name, body, done: done)
        next()
    }

    /// Adds a turn to the line without starting it: it runs when the line advances, or after ``reconsider()``.
    ///
    /// - Parameters:
    ///   - process: the process of the app or of an extension.
    ///   - name: the name of the called method in the history.
    ///   - waitsForProcess: `false` drops the turn if the process is suspended before it comes; the default waits.
    ///   - body: calls the method.
    ///   - done: called when the turn is over or was dropped, with whether `body` ran.
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

    /// Advances the line, because a process was resumed or has ended, or a turn was added.
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
