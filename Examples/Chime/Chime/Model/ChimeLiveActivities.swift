import ActivityKit
import CarillonApp

/// A match that Chime reports live: the teams stay, score and minute change.
@available(iOS 16.1, *)
nonisolated public struct LiveMatchAttributes: ActivityAttributes {
    /// The values that each push replaces.
    nonisolated public struct ContentState: Codable, Hashable, Sendable {
        /// The goals of the home team.
        public var homeScore: Int
        /// The goals of the visiting team.
        public var awayScore: Int
        /// The minute of the match, counted from 0.
        public var minute: Int
    }

    /// The backend's name for the Live Activity.
    public var match: String
    /// The home team.
    public var home: String
    /// The visiting team.
    public var away: String
}

/// An order of Chime's shop on its way.
@available(iOS 16.1, *)
nonisolated public struct OrderAttributes: ActivityAttributes {
    /// The values that each push replaces.
    nonisolated public struct ContentState: Codable, Hashable, Sendable {
        /// The number of stops before this order's.
        public var stopsLeft: Int
        /// The place where the courier is.
        public var place: String
    }

    /// The backend's name for the Live Activity.
    public var order: String
    /// The ordered things, in a few words.
    public var contents: String
    /// The number of stops at the start.
    public var stops: Int
}

extension ChimeAppDelegate {
    /// Lets the service start, update and end Chime's Live Activities.
    ///
    /// The attributes name the match and the order, so that each token is known to belong to one of them.
    @available(iOS 17.2, *)
    func registerLiveActivities(with carillon: Carillon) {
        carillon.liveActivities.register(LiveMatchAttributes.self) { $0.match }
        carillon.liveActivities.register(OrderAttributes.self) { $0.order }
    }
}
