/// The unfinished work on the phone, each piece with a name for messages.
///
/// A piece of work needs a Swift task only while it is asynchronous, and most pushes never are.
@MainActor final class OutstandingTasks {
    private struct Entry {
        let label: () -> String
        var task: Task<Void, Never>?
    }

    private var entries: [Int: Entry] = [:]
    private var lastNumber = 0
    private let observers: PhoneObservers

    init(observers: PhoneObservers) { self.observers = observers }

    /// The names of the unfinished work, in the order in which it began.
    var labels: [String] { entries.sorted { $0.key < $1.key }.map { $0.value.label() } }
    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    /// Adds work that is unfinished until ``ended(_:)``, and returns its number.
    func began(_ label: @autoclosure @escaping () -> String) -> Int {
        lastNumber += 1
        entries[lastNumber] = Entry(label: label)
        return lastNumber
    }

    func ended(_ number: Int) {
        entries[number] = nil
        observers.changed(nil)
    }

    /// Continues the work with this number in a task that starts at once and runs to its first suspension.
    func goOn(_ number: Int, _ body: @escaping @MainActor @Sendable () async -> Void) {
        let task = Task.immediateDetached(name: nil, priority: nil, operation: work(body))
        entries[number]?.task = task
    }

    /// Continues the work with this number in a task, in a later round of the main queue.
    func goOnLater(_ number: Int, _ body: @escaping @MainActor @Sendable () async -> Void) {
        entries[number]?.task = Task.detached(name: nil, priority: nil, operation: work(body))
    }

    /// Runs work in a task, in later rounds of the main queue; it is unfinished until the task ends.
    func begin(_ label: @autoclosure @escaping () -> String, _ body: @escaping @MainActor @Sendable () async -> Void) {
        let number = began(label())
        goOnLater(number) { [self] in
            await body()
            ended(number)
        }
    }

    /// Returns the body of a task that keeps the current cause and runs on the main actor from its first step.
    ///
    /// The task is detached, so that a task begun in an app's code does not run as that app. Its `name` argument selects
    /// Swift's own initializer.
    private func work(
        _ body: @escaping @MainActor @Sendable () async -> Void
    ) -> @MainActor @Sendable () async -> Void {
        let cause = PhoneCause.current
        return { await PhoneCause.$current.withValue(cause) { await body() } }
    }

    func cancelAll() { for entry in entries.values { entry.task?.cancel() } }
}

/// The completion handlers that the phone waits for.
///
/// For some, only the phone's time can end the wait.
@MainActor final class AwaitedHandlers {
    private var entries: [Int: (giveUp: @MainActor () -> Void, isGivenUp: Bool)] = [:]
    private var lastNumber = 0

    var count: Int { entries.count }
    /// Whether waiting has been reported as useless for all of them.
    var areGivenUp: Bool { entries.values.allSatisfy(\.isGivenUp) }

    /// Adds a wait for a handler.
    ///
    /// - Parameter giveUp: reports that waiting is useless until the phone's time passes.
    /// - Returns: the number for ``ended(_:)``.
    func began(giveUp: @escaping @MainActor () -> Void) -> Int {
        lastNumber += 1
        entries[lastNumber] = (giveUp, false)
        return lastNumber
    }

    func ended(_ number: Int) { entries[number] = nil }

    /// Reports, once for each handler, that waiting is useless until the phone's time passes.
    func giveUp() {
        for (number, entry) in entries.sorted(by: { $0.key < $1.key }) where !entry.isGivenUp {
            entries[number]?.isGivenUp = true
            entry.giveUp()
        }
    }
}
