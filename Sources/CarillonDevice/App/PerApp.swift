/// The state that one part of the phone keeps for each app, keyed by the number of the app's installation.
///
/// The states have no order and cannot be iterated; iterate ``InstalledApps/all`` instead.
struct PerApp<State> {
    // Two arrays with a linear search, because a phone has few apps and their states are read in place.
    private var numbers: ContiguousArray<Int> = []
    private var states: ContiguousArray<State> = []
    private let fresh: () -> State

    /// Makes an empty store.
    ///
    /// - Parameter fresh: makes the state of an app that has just been installed.
    init(_ fresh: @autoclosure @escaping () -> State) { self.fresh = fresh }

    /// The state of an app.
    ///
    /// For an app that is no longer installed, reading returns the state of a new app, and changes are lost.
    subscript(app: InstalledApp) -> State {
        _read {
            if let index = numbers.firstIndex(of: app.number) { yield states[index] } else { yield fresh() }
        }
        _modify {
            if let index = numbers.firstIndex(of: app.number) {
                yield &states[index]
            } else {
                var lost = fresh()
                yield &lost
            }
        }
    }

    /// Adds the state of an app that is being installed or updated.
    ///
    /// - Parameters:
    ///   - app: the new installation.
    ///   - old: the installation that the update replaces; its state is removed. `nil` if there was none.
    ///   - keep: copies the values that an update keeps, from the old state (second argument) to the new state (first
    ///     argument).
    mutating func install(_ app: InstalledApp, updating old: InstalledApp?, keeping keep: (inout State, State) -> Void)
    {
        var state = fresh()
        if let before = old.flatMap({ removed($0) }) { keep(&state, before) }
        remove(app)
        numbers.append(app.number)
        states.append(state)
    }

    mutating func remove(_ app: InstalledApp) { _ = removed(app) }

    private mutating func removed(_ app: InstalledApp) -> State? {
        guard let index = numbers.firstIndex(of: app.number) else { return nil }
        numbers.remove(at: index)
        return states.remove(at: index)
    }
}
