/// The phone's tasks that are under way, each with a name for whoever wonders what is outstanding.
@MainActor final class OutstandingTasks {
    private var tasks: [Int: (label: String, task: Task<Void, Never>)] = [:]
    private var lastNumber = 0
    private let observers: PhoneObservers

    init(observers: PhoneObservers) { self.observers = observers }

    /// In the order in which they began.
    var labels: [String] { tasks.sorted { $0.key < $1.key }.map(\.value.label) }
    var isEmpty: Bool { tasks.isEmpty }
    var count: Int { tasks.count }

    /// Detached, so that a task begun while an app's code runs does not run as that app; with a name, so that it is
    /// Swift's.
    func begin(_ label: String, _ body: @escaping @MainActor @Sendable () async -> Void) {
        lastNumber += 1
        let number = lastNumber
        // On the main actor from its first step, rather than by way of another thread.
        let cause = PhoneCause.current
        let work: @MainActor @Sendable () async -> Void = {
            await PhoneCause.$current.withValue(cause) { await self.run(number, body) }
        }
        let task = Task.detached(name: nil, priority: nil, operation: work)
        tasks[number] = (label, task)
    }

    private func run(_ number: Int, _ body: @MainActor @Sendable () async -> Void) async {
        await body()
        tasks[number] = nil
        observers.changed(nil)
    }

    func cancelAll() { for entry in tasks.values { entry.task.cancel() } }
}
