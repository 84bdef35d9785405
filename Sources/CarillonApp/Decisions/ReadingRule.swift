/// Decides whether what the person did with a notification means that they have read the message.
///
/// Everything does except clearing it, unless the app has said otherwise of an action
/// (``NotificationAction/marksRead``).
package struct ReadingRule: Sendable, Hashable {
    private struct Name: Sendable, Hashable {
        var category: String
        var action: String
    }

    private var leavingUnread: Set<Name> = []

    /// Before any categories are declared: every action is reading.
    package init() {}

    /// - Parameter categories: those that the app has declared last.
    package init(_ categories: [NotificationCategory]) {
        for category in categories {
            for action in category.actions where !action.marksRead {
                leavingUnread.insert(Name(category: category.identifier, action: action.identifier))
            }
        }
    }

    /// Whether the message is read now, on this phone and so on every other.
    ///
    /// - Parameters:
    ///   - action: what the person did.
    ///   - category: the `categoryIdentifier` of the notification.
    /// - Returns: `false` for clearing it, and for an action that leaves it unread.
    package func isReading(_ action: MessageResponse.Action, category: String) -> Bool {
        switch action {
        case .open: true
        case .dismiss: false
        case .chose(let name), .replied(let name, _):
            !leavingUnread.contains(Name(category: category, action: name))
        }
    }
}
