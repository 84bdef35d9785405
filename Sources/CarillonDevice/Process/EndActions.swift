/// The closures to run when a simulated process ends, in the order in which they were added.
@MainActor final class EndActions {
    private var actions: [Int: @MainActor () -> Void] = [:]
    private var lastNumber = 0

    nonisolated init() {}

    var isEmpty: Bool { actions.isEmpty }

    /// Adds a closure to run when the process ends.
    ///
    /// - Returns: the closure's number, for ``remove(_:)``.
    func add(_ action: @escaping @MainActor () -> Void) -> Int {
        lastNumber += 1
        actions[lastNumber] = action
        return lastNumber
    }

    /// Removes the closure with this number, so that it does not run when the process ends.
    func remove(_ number: Int) { actions[number] = nil }

    /// Runs all added closures and removes them; called when the simulated process has ended.
    func run() {
        let due = actions.sorted { $0.key < $1.key }
        actions = [:]
        for (_, action) in due { action() }
    }
}
