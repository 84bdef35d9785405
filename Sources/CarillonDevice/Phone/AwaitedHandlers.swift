/// The completion handlers that the phone waits for, and which of them only the phone's time can end.
@MainActor final class AwaitedHandlers {
    private var entries: [Int: (giveUp: @MainActor () -> Void, isGivenUp: Bool)] = [:]
    private var lastNumber = 0

    var count: Int { entries.count }
    /// Whether it has been said of all of them that waiting is in vain.
    var areGivenUp: Bool { entries.values.allSatisfy(\.isGivenUp) }

    /// Adds a wait for a handler.
    ///
    /// - Parameter giveUp: says that waiting is in vain until the phone's time passes.
    /// - Returns: what ``ended(_:)`` wants.
    func began(giveUp: @escaping @MainActor () -> Void) -> Int {
        lastNumber += 1
        entries[lastNumber] = (giveUp, false)
        return lastNumber
    }

    func ended(_ number: Int) { entries[number] = nil }

    /// Reports, once for each handler, that waiting is in vain until the phone's time passes.
    func giveUp() {
        for (number, entry) in entries.sorted(by: { $0.key < $1.key }) where !entry.isGivenUp {
            entries[number]?.isGivenUp = true
            entry.giveUp()
        }
    }
}
