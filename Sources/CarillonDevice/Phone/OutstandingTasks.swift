/// The phone's tasks that are under way, each with a name for whoever wonders what is outstanding.
@MainActor final class OutstandingTasks {
    private var tasks: [Int: (label: String, task: Task<Void, Never>)] = [:]
    private var lastNumber = 0

    var labels: [String] { tasks.sorted { $0.key < $1.key }.map(\.value.label) }
    var isEmpty: Bool { tasks.isEmpty }

    /// Detached, so that a task begun while an app's code runs does not run as that app; with a name, so that it is
    /// Swift's.
    func begin(_ label: String, on phone: Phone, _ body: @escaping @MainActor @Sendable (Phone) async -> Void) {
        lastNumber += 1
        let number = lastNumber
        let reference = WeakReference(phone: phone)
        // On the main actor from its first step, rather than by way of another thread.
        let work: @MainActor @Sendable () async -> Void = { await self.run(number, reference, body) }
        let task = Task.detached(name: nil, priority: nil, operation: work)
        tasks[number] = (label, task)
    }

    private func run(
        _ number: Int, _ reference: WeakReference, _ body: @MainActor @Sendable (Phone) async -> Void
    ) async {
        if let phone = reference.phone { await body(phone) }
        tasks[number] = nil
        reference.phone?.changed(nil)
    }

    private struct WeakReference: Sendable {
        weak let phone: Phone?
    }

    func cancelAll() { for entry in tasks.values { entry.task.cancel() } }
}
