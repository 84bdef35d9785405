import UserNotifications  // For its own `Task` initializers on a simulated phone, which track running work.

/// The tasks that the SDK has started in callbacks of iOS, because a callback cannot wait for them.
@MainActor
final class OwnedTasks {
    private var running: [Int: Task<Void, Never>] = [:]
    private var lastNumber = 0
    private let afterEach: @MainActor () -> Void

    /// Makes the collection of tasks, at first empty.
    ///
    /// - Parameter afterEach: called at the end of each task.
    init(afterEach: @escaping @MainActor () -> Void) { self.afterEach = afterEach }

    func start(_ work: @escaping @MainActor () async -> Void) {
        lastNumber += 1
        let number = lastNumber
        running[number] = Task { [weak self] in
            await work()
            self?.afterEach()
            self?.running[number] = nil
        }
    }

    /// Waits until no task is running, including tasks that start during the wait.
    func settle() async {
        while let task = running.first?.value { await task.value }
    }
}

/// A queue that runs asynchronous closures one after another, in the order in which they were added.
@MainActor
final class SerialQueue {
    private var last: Task<Void, Never>?

    /// Runs `work` after all earlier work and returns its result.
    ///
    /// `work` must not await another call of this method, because that would be a deadlock.
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
