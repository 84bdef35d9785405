/// The state that one part of the phone keeps for each app, keyed by the number of the app's installation.
///
/// It has no order and cannot be iterated: ``InstalledApps/all`` lists the apps.
struct PerApp<State> {
    private var states: [Int: State] = [:]
    private let fresh: () -> State

    /// - Parameter fresh: what is known of an app that has just been installed.
    init(_ fresh: @autoclosure @escaping () -> State) { self.fresh = fresh }

    /// An app that is no longer on the phone has what a new one has, and keeps no change.
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

    /// An app comes to the phone.
    ///
    /// - Parameters:
    ///   - app: the installation that is new.
    ///   - old: the installation that it updates, which goes; `nil` where there was none.
    ///   - keep: takes over what an update keeps.
    mutating func install(_ app: InstalledApp, over old: InstalledApp?, keep: (inout State, State) -> Void) {
        var state = fresh()
        if let before = old.flatMap({ states.removeValue(forKey: $0.number) }) { keep(&state, before) }
        states[app.number] = state
    }

    mutating func remove(_ app: InstalledApp) { states[app.number] = nil }
}

/// A part of the phone that keeps something of each app.
@MainActor protocol PartWithApps: AnyObject {
    /// An app comes to the phone.
    ///
    /// - Parameters:
    ///   - app: the installation that is new.
    ///   - old: the installation that it updates; `nil` where there was none.
    func installed(_ app: InstalledApp, over old: InstalledApp?)

    /// The app was deleted.
    func deleted(_ app: InstalledApp)
}
