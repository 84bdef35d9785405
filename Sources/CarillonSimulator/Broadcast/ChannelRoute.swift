/// A request about broadcast channels, parsed from its path and method: the action and the app.
///
/// See [Sending channel management
/// requests](https://developer.apple.com/documentation/usernotifications/sending-channel-management-requests-to-apns). Apple
/// manages channels at separate hosts and ports; the simulator uses its one port for all requests.
struct ChannelRoute: Sendable, Hashable {
    enum Action: Sendable, Hashable { case create, read, delete, list, broadcast }

    var action: Action
    var bundleID: String

    /// Returns the route of a request about broadcasts or channels, and checks the request's method.
    ///
    /// - Returns: the route; `nil` if the path belongs to another kind of request.
    static func check(_ head: RequestHead) throws(Rejection) -> ChannelRoute? {
        let parts = head.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        switch (parts.count, parts.first, parts.last) {
        case (4, "1", "channels") where parts.dropFirst().first == "apps":
            let actions = ["POST": Action.create, "GET": .read, "DELETE": .delete]
            return ChannelRoute(action: try action(actions, head), bundleID: String(parts[parts.startIndex + 2]))
        case (4, "1", "all-channels") where parts.dropFirst().first == "apps":
            return ChannelRoute(
                action: try action(["GET": .list], head), bundleID: String(parts[parts.startIndex + 2]))
        case (4, "4", let bundleID?) where parts.dropFirst().prefix(2).elementsEqual(["broadcasts", "apps"]):
            return ChannelRoute(action: try action(["POST": .broadcast], head), bundleID: String(bundleID))
        default: return nil
        }
    }

    private static func action(_ actions: [String: Action], _ head: RequestHead) throws(Rejection) -> Action {
        guard let action = actions[head.method] else {
            throw Rejection(
                .methodNotAllowed, by: .method,
                detail: "this path takes \(actions.keys.sorted().joined(separator: ", ")), not \(head.method)")
        }
        return action
    }
}
