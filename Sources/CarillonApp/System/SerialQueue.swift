import UserNotifications  // On a simulated phone, for its own `Task`: what is under way is counted.

/// Runs pieces of asynchronous work one after another, in the order of the calls.
@MainActor
final class SerialQueue {
    private var last: Task<Void, Never>?

    /// Runs `work` after all that was asked for before; it must not wait for this queue itself.
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
