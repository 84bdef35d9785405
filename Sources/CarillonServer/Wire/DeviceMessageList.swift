import CarillonCore

/// The answer of `GET /v1/devices/{id}/notifications`: a page of a device's messages, the newest first.
package struct DeviceMessageList: Sendable, Hashable, Codable {
    /// The installation's id.
    package var id: String
    package var notifications: [Entry]
    /// The value of `?after=` for the next page; absent on the last page.
    ///
    /// A page with `next` may have fewer messages than the limit, and even none.
    package var next: String?

    package init(id: String, notifications: [Entry], next: String? = nil) {
        (self.id, self.notifications, self.next) = (id, notifications, next)
    }

    /// A message, and what became of it on the device.
    package struct Entry: Sendable, Hashable, Codable {
        /// The message's id.
        package var id: MessageID
        /// The title of the message's alert, or its body if it has no title; absent for a message without text.
        package var title: String?
        /// The message's newest revision.
        package var revision: Int
        /// The time at which the service accepted that revision.
        package var acceptedAt: Timestamp
        /// The user that the message was for on this device; absent if there is none.
        package var user: String?
        /// The state of the delivery to this device.
        package var state: DeliveryState
        /// The events that the device has reported, each once.
        package var receipts: [ReceiptEvent]
        /// APNs' last reason, or the reason why the push was not sent; absent if there is none.
        package var reason: String?

        enum CodingKeys: String, CodingKey {
            case id, title, revision, user, state, receipts, reason
            case acceptedAt = "accepted_at"
        }
    }
}
