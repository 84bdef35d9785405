/// The state that one part of the phone keeps for each app, keyed by the number of the app's installation.
///
/// It has no order and cannot be iterated: ``InstalledApps/all`` lists the apps.
struct PerApp<State> {
    private var states: [Int: State] = [:]
    private let fresh: () -> State

    /// - Parameter fresh: the state of an app that has just been installed.
    init(_ fresh: @autoclosure @escaping () -> State) { self.fresh = fresh }

    /// The state of an app.
    ///
    /// An app that has left the phone has the state of a new one, and changes to it are lost.
    subscript(app: InstalledApp) -> State {
        get { states[app.number] ?? fresh() }
        _modify {
            if let index = states.index(forKey: app.number) {
                yield &states.values[index]
            } else {
                var lost = fresh()
                yield &lost
            }
        }
    }

    /// Sets the state of an app that is installed or updated.
    ///
    /// - Parameters:
    ///   - app: the installation that is new.
    ///   - old: the installation that it updates, which goes; `nil` where there was none.
    ///   - keep: copies the state that an update keeps.
    mutating func install(_ app: InstalledApp, updating old: InstalledApp?, keeping keep: (inout State, State) -> Void)
    {
        var state = fresh()
        if let before = old.flatMap({ states.removeValue(forKey: $0.number) }) { keep(&state, before) }
        states[app.number] = state
    }

    mutating func remove(_ app: InstalledApp) { states[app.number] = nil }
}
