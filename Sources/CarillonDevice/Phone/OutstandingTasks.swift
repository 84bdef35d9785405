/// What is under way on the phone, each with a name for whoever wonders what is outstanding.
///
/// It needs a task of Swift's only while something of it is asynchronous: most pushes never do.
@MainActor final class OutstandingTasks {
    private struct Entry {
        let label: () -> String
        var task: Task<Void, Never>?
    }

    private var entries: [Int: Entry] = [:]
    private var lastNumber = 0
    private let observers: PhoneObservers

    init(observers: PhoneObservers) { self.observers = observers }

    /// In the order in which they began.
    var labels: [String] { entries.sorted { $0.key < $1.key }.map { $0.value.label() } }
    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    /// Something begins; it is under way until ``ended(_:)``.
    func began(_ label: @autoclosure @escaping () -> String) -> Int {
        lastNumber += 1
        entries[lastNumber] = Entry(label: label)
        return lastNumber
    }

    func ended(_ number: Int) {
        entries[number] = nil
        observers.changed(nil)
    }

    /// What has begun goes on in a task, which begins at once and runs up to where it waits.
    func goOn(_ number: Int, _ body: @escaping @MainActor @Sendable () async -> Void) {
        let task = Task.immediateDetached(name: nil, priority: nil, operation: work(body))
        entries[number]?.task = task
    }

    /// What has begun goes on in a task, in a later round of the main queue.
    func goOnLater(_ number: Int, _ body: @escaping @MainActor @Sendable () async -> Void) {
        entries[number]?.task = Task.detached(name: nil, priority: nil, operation: work(body))
    }

    /// Something begins and ends in a task, in later rounds of the main queue.
    func begin(_ label: @autoclosure @escaping () -> String, _ body: @escaping @MainActor @Sendable () async -> Void) {
        let number = began(label())
        goOnLater(number) { [self] in
            await body()
            ended(number)
        }
    }

    /// What a task does: with the cause that now is, and on the main actor from its first step.
    ///
    /// The task is detached, so that one begun while an app's code runs does not run as that app, and has a name, so that it
    /// is Swift's.
    private func work(
        _ body: @escaping @MainActor @Sendable () async -> Void
    ) -> @MainActor @Sendable () async -> Void {
        let cause = PhoneCause.current
        return { await PhoneCause.$current.withValue(cause) { await body() } }
    }

    func cancelAll() { for entry in entries.values { entry.task?.cancel() } }
}
