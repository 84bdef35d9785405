/// Runs pieces of work one after another, in the order in which they were asked for.
@MainActor
final class SerialQueue {
    private var last: Task<Void, Never>?

    func run<Value: Sendable>(_ work: @escaping @MainActor () async -> Value) async -> Value {
        let previous = last
        let task = Task { () -> Value in
            await previous?.value
            return await work()
        }
        last = Task { _ = await task.value }
        return await task.value
    }
}

/// The tasks that the callbacks of iOS, which cannot wait, have started. None is lost sight of.
@MainActor
final class OwnedTasks {
    private var running: [Int: Task<Void, Never>] = [:]
    private var lastNumber = 0

    func start(_ work: @escaping @MainActor () async -> Void) {
        lastNumber += 1
        let number = lastNumber
        running[number] = Task { [weak self] in
            await work()
            self?.running[number] = nil
        }
    }

    /// Returns when nothing is running any more, also nothing that was started meanwhile.
    func settle() async {
        while let task = running.first?.value { await task.value }
    }
}
