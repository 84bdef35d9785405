/// The phone's unfinished work: a list of entries, each with a description for error messages.
///
/// An entry does not always have a Swift task. Work gets a task only for a part that is asynchronous, and the work for most
/// pushes has no such part.
@MainActor final class OutstandingTasks {
    private struct Entry {
        let label: () -> String
        var task: Task<Void, Never>?
    }

    private var entries: [Int: Entry] = [:]
    private var lastNumber = 0
    private let observers: PhoneObservers

    init(observers: PhoneObservers) { self.observers = observers }

    /// The descriptions of the unfinished work, in the order in which it began.
    var labels: [String] { entries.sorted { $0.key < $1.key }.map { $0.value.label() } }
    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    /// Adds an entry for work that stays unfinished until ``ended(_:)`` is called with the returned number.
    func began(_ label: @autoclosure @escaping () -> String) -> Int {
        lastNumber += 1
        entries[lastNumber] = Entry(label: label)
        return lastNumber
    }

    func ended(_ number: Int) {
        entries[number] = nil
        observers.changed(nil)
    }

    /// Continues a piece of work in a new task, which runs immediately up to its first suspension.
    ///
    /// `number` is the number that ``began(_:)`` returned for the work.
    func goOn(_ number: Int, _ body: @escaping @MainActor @Sendable () async -> Void) {
        let task = Task.immediateDetached(name: nil, priority: nil, operation: work(body))
        entries[number]?.task = task
    }

    /// Continues a piece of work in a new task, which starts later on the main queue.
    ///
    /// `number` is the number that ``began(_:)`` returned for the work.
    func goOnLater(_ number: Int, _ body: @escaping @MainActor @Sendable () async -> Void) {
        entries[number]?.task = Task.detached(name: nil, priority: nil, operation: work(body))
    }

    /// Adds an entry for work that runs in a new task, later on the main queue; the entry is removed when the task ends.
    func begin(_ label: @autoclosure @escaping () -> String, _ body: @escaping @MainActor @Sendable () async -> Void) {
        let number = began(label())
        goOnLater(number) { [self] in
            await body()
            ended(number)
        }
    }

    /// Returns a closure for a task: the closure runs `body` on the main actor, with the ``PhoneCause`` that is current now.
    ///
    /// The closure must run in a detached task: if an app's code is running now, an ordinary task would count as that app's task.
    private func work(
        _ body: @escaping @MainActor @Sendable () async -> Void
    ) -> @MainActor @Sendable () async -> Void {
        let cause = PhoneCause.current
        return { await PhoneCause.$current.withValue(cause) { await body() } }
    }

    func cancelAll() { for entry in entries.values { entry.task?.cancel() } }
}

/// The completion handlers that apps have received but not called, and for which the phone waits.
///
/// If an app never calls a handler, the wait can end only when the phone's clock advances.
@MainActor final class AwaitedHandlers {
    private var entries: [Int: (giveUp: @MainActor () -> Void, isGivenUp: Bool)] = [:]
    private var lastNumber = 0

    var count: Int { entries.count }
    /// Whether the phone has given up waiting for every one of the completion handlers; `true` if there are none.
    ///
    /// The phone gives up when only an advance of its clock could end the wait; see ``giveUp()``.
    var areGivenUp: Bool { entries.values.allSatisfy(\.isGivenUp) }

    /// Adds a completion handler to wait for.
    ///
    /// - Parameter giveUp: called once if the phone gives up waiting, to report that the handler was not called.
    /// - Returns: the number for ``ended(_:)``.
    func began(giveUp: @escaping @MainActor () -> Void) -> Int {
        lastNumber += 1
        entries[lastNumber] = (giveUp, false)
        return lastNumber
    }

    func ended(_ number: Int) { entries[number] = nil }

    /// Gives up waiting for the completion handlers that apps have not called, and reports each of them once.
    func giveUp() {
        for (number, entry) in entries.sorted(by: { $0.key < $1.key }) where !entry.isGivenUp {
            entries[number]?.isGivenUp = true
            entry.giveUp()
        }
    }
}
