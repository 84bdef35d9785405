import CarillonCore

/// The tokens for Live Activities that iOS has given to the app, and the Live Activities that are on the screen.
package struct LiveActivityTokens: Sendable, Hashable, Codable {
    private struct Entry: Sendable, Hashable, Codable {
        /// iOS's identifier of the Live Activity.
        var activity: String
        var token: LiveActivityToken
    }

    /// The push-to-start tokens, by the names of the types.
    private var starts: [String: DeviceToken] = [:]
    /// The Live Activities with a token, in the order in which their tokens came.
    private var entries: [Entry] = []

    package init() {}

    /// Records the token with which a push starts Live Activities of a type.
    package mutating func start(_ type: String, _ token: DeviceToken) { starts[type] = token }

    /// Records the token with which pushes update a Live Activity.
    ///
    /// - Parameters:
    ///   - activity: iOS's identifier of the Live Activity.
    ///   - token: the token, with the app's name for the Live Activity.
    package mutating func update(_ activity: String, _ token: LiveActivityToken) {
        if let index = entries.firstIndex(where: { $0.activity == activity }) {
            return entries[index].token = token
        }
        entries.append(Entry(activity: activity, token: token))
        if entries.count > LiveActivityToken.limit / 2 { entries.removeFirst() }
    }

    /// Records that a Live Activity has ended.
    package mutating func end(_ activity: String) { entries.removeAll { $0.activity == activity } }

    /// Records that of a type only these Live Activities are left, by iOS's identifiers.
    package mutating func keep(only activities: Set<String>, of type: String) {
        entries.removeAll { $0.token.type == type && !activities.contains($0.activity) }
    }

    /// Forgets all Live Activities, because they belong to a user who has signed out.
    package mutating func signOut() { entries = [] }

    /// Returns the tokens that the service needs.
    ///
    /// Of two Live Activities with one name, the older one's token stays the service's until it is known which of them shows the newest
    /// state. What is sent meanwhile then reaches one that is there.
    ///
    /// - Parameter types: the types that the app has registered since its launch.
    /// - Returns: the tokens of these types in a fixed order, the oldest of each name; `nil` if there are none.
    package func tokens(of types: Set<String>) -> [LiveActivityToken]? {
        var oldest: [[String]: LiveActivityToken] = [:]
        for (type, token) in starts { oldest[[type]] = LiveActivityToken(type: type, token: token) }
        for entry in entries.reversed() { oldest[[entry.token.type, entry.token.id ?? ""]] = entry.token }
        let tokens = oldest.filter { types.contains($0.value.type) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
        return tokens.isEmpty ? nil : tokens
    }
}
