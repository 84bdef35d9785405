/// The actions to run when a simulated process ends, in the order in which they were added.
@MainActor final class EndActions {
    private var actions: [Int: @MainActor () -> Void] = [:]
    private var lastNumber = 0

    nonisolated init() {}

    var isEmpty: Bool { actions.isEmpty }

    /// Adds an action.
    ///
    /// - Returns: the action's number, for ``remove(_:)``.
    func add(_ action: @escaping @MainActor () -> Void) -> Int {
        lastNumber += 1
        actions[lastNumber] = action
        return lastNumber
    }

    /// Removes an action that is no longer needed.
    func remove(_ number: Int) { actions[number] = nil }

    /// Runs the actions after the simulated process has ended.
    func run() {
        let due = actions.sorted { $0.key < $1.key }
        actions = [:]
        for (_, action) in due { action() }
    }
}
