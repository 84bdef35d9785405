/// Decides whether what the person did with a notification means that they have read the message.
///
/// Everything does except clearing it, unless the app has said otherwise of an action.
package struct ReadingRule: Sendable, Hashable {
    private let leavingUnread: Set<String>

    /// - Parameter leavingUnread: the identifiers of actions after which the message counts as unread; the default is none.
    package init(leavingUnread: Set<String> = []) { self.leavingUnread = leavingUnread }

    /// Whether the message is read now, on this phone and so on every other.
    ///
    /// - Parameter action: what the person did.
    /// - Returns: `false` for clearing it, and for an action that leaves it unread.
    package func isReading(_ action: Carillon.Response.Action) -> Bool {
        switch action {
        case .open: true
        case .dismiss: false
        case .chose(let name), .replied(let name, _): !leavingUnread.contains(name)
        }
    }
}
