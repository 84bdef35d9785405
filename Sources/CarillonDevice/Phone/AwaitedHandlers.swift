/// The completion handlers that the phone waits for, and which of them only the phone's time can end.
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
