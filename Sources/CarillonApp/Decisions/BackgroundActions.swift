import UserNotifications

/// The actions that leave the app in the background, as it has declared them.
package struct BackgroundActions: Sendable, Hashable {
    private struct Name: Sendable, Hashable {
        var category: String
        var action: String
    }

    private let names: Set<Name>

    /// - Parameter categories: those that the app has declared last.
    package init(_ categories: Set<UNNotificationCategory>) {
        names = Set(
            categories.flatMap { category in
                category.actions.filter { !$0.options.contains(.foreground) }.map {
                    Name(category: category.identifier, action: $0.identifier)
                }
            })
    }

    /// Whether what the person did brings the app to the foreground.
    ///
    /// - Parameters:
    ///   - action: what the person did.
    ///   - category: the `categoryIdentifier` of the notification.
    /// - Returns: `true` for an action that was not declared with ``Carillon/setNotificationCategories(_:leavingUnread:)``: nothing is known of it.
    package func opensApp(_ action: Carillon.Response.Action, category: String) -> Bool {
        switch action {
        case .open: true
        case .dismiss: false
        case .chose(let name), .replied(let name, _): !names.contains(Name(category: category, action: name))
        }
    }
}
