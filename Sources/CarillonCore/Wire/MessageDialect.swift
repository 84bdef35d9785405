/// The payload format of a message: Carillon's own, or Carillon's together with another provider's.
///
/// If another provider's format is included, installed apps that know only that format keep working.
package enum MessageDialect: String, Sendable, Hashable, CaseIterable, Codable {
    /// The payload has Carillon's key, and no key of another provider.
    case carillon
    /// The payload has Carillon's key, and Pushwoosh's `crt`, `dlt` and `title`.
    ///
    /// The notification's identifier is ``pushwooshIdentifierPrefix`` followed by the message's id.
    case pushwoosh
    /// The payload has Carillon's key, and Infobip's `messageId` and `internalData`.
    case infobip

    /// The prefix that a notification's identifier has in Pushwoosh's payload format, according to Pushwoosh's article on
    /// deletable pushes.
    package static let pushwooshIdentifierPrefix = "com.pushwoosh.notification."

    /// Returns the identifier under which a phone shows the message: the push's `apns-collapse-id`.
    ///
    /// - Parameter message: the message's id.
    /// - Returns: the id itself; for Pushwoosh, ``pushwooshIdentifierPrefix`` followed by the id.
    package func identifier(of message: MessageID) -> String {
        self == .pushwoosh ? Self.pushwooshIdentifierPrefix + message.rawValue : message.rawValue
    }
}
