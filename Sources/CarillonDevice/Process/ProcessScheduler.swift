@_spi(Simulation) import UserNotifications

/// Gives the main queue to one process at a time, across all phones.
///
/// The callback of that process runs as the process, and so do the blocks that it puts on the main queue. There is one
/// scheduler for the whole program, because there is one main queue. `DispatchQueue.main.async` loses the task that called
/// it, so a block finds its phone only if no other phone's code is on the queue meanwhile.
@MainActor final class ProcessScheduler {
    static let shared = ProcessScheduler()

    private struct Entry {
        let process: RunningProcess
        let name: String
        let cause: PhoneCause?
        /// Whether it runs once the process is resumed, if the process is suspended before its turn.
        let waitsForProcess: Bool
        let body: @MainActor () -> Void
        let done: @MainActor (_ hasRun: Bool) -> Void
    }

    private var waiting: [Entry] = []
    private var isBusy = false
    private let rounds = MainQueueRounds()

    private init() {}

    /// Runs `body` as `process` once it is its turn and the process runs.
    ///
    /// It waits while the process is suspended, and never runs once the process has ended.
    ///
    /// - Parameters:
    ///   - process: the app's, or an extension's.
    ///   - name: the name of the called method, as the history records it.
    ///   - body: calls it.
    ///   - done: told whether it was called, once its turn is over, with the present cause; the default is nothing.
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
    ///   - process: the app's, or an extension's.
    ///   - name: the name of the called method, as the history records it.
    ///   - waitsForProcess: `false` to give the turn up if the process is suspended before it comes; the default waits.
    ///   - body: calls it.
    ///   - done: told whether it was called, once its turn is over or was given up.
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

    /// Advances the line, because a process was resumed or has ended, or an entry was added.
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
