import CarillonCore
import Foundation
import UserNotifications

/// A notification in the list of delivered notifications, in values that may cross threads.
struct DeliveredNotification: Sendable, Hashable {
    let identifier: String
    let userInfo: [String: JSONValue]
    /// What it says of a message, under the identifier that it has in the list; `nil` for another SDK's.
    let message: PushMessage?
    /// When it was delivered; `nil` for one that was delivered without alerting the person.
    let alertedAt: Timestamp?

    init(_ notification: UNNotification) {
        identifier = notification.request.identifier
        let isQuiet = notification.request.content.interruptionLevel == .passive
        alertedAt = isQuiet ? nil : Timestamp(notification.date)
        userInfo = JSONValue(foundation: notification.request.content.userInfo)?.objectValue ?? [:]
        var message = PushInterpreter().instructions(for: userInfo).message
        message?.identifier = identifier
        self.message = message
    }
}
