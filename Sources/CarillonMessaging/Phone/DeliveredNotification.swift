import CarillonCore
import Foundation
import UserNotifications

/// A notification in the list of delivered notifications, in values that may cross threads.
package struct DeliveredNotification: Sendable, Hashable {
    package let identifier: String
    package let userInfo: [String: JSONValue]
    /// What it says of a message, under the identifier that it has in the list; `nil` for another SDK's.
    package let message: PushMessage?
    /// When it was delivered; `nil` for one that was delivered without alerting the person.
    package let alertedAt: Timestamp?

    init(identifier: String, userInfo: [String: JSONValue], message: PushMessage?, alertedAt: Timestamp?) {
        self.identifier = identifier
        self.userInfo = userInfo
        self.message = message
        self.alertedAt = alertedAt
    }

    package init(_ notification: UNNotification) {
        identifier = notification.request.identifier
        let isQuiet = notification.request.content.interruptionLevel == .passive
        alertedAt = isQuiet ? nil : Timestamp(notification.date)
        userInfo = JSONValue(foundation: notification.request.content.userInfo)?.objectValue ?? [:]
        var message = PushInterpreter().instructions(for: userInfo).message
        message?.identifier = identifier
        self.message = message
    }
}
