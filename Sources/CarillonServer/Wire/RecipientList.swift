import CarillonCore

/// The answer of `GET /v1/notifications/{id}/recipients`: a page of a message's devices.
package struct RecipientList: Sendable, Hashable, Codable {
    /// The message's id.
    package var id: MessageID
    package var recipients: [Recipient]
    /// The value of `?after=` for the next page; absent on the last page.
    ///
    /// A page with `next` may have fewer devices than the limit.
    package var next: String?

    package init(id: MessageID, recipients: [Recipient], next: String? = nil) {
        self.id = id
        self.recipients = recipients
        self.next = next
    }

    /// One device that a message is for.
    package struct Recipient: Sendable, Hashable, Codable {
        /// The installation's id.
        package var device: String
        /// The user that the message was for on this device; absent if there is none.
        ///
        /// Of a message to a condition or to everyone, it is the user who is signed in now.
        package var user: String?
        /// The state of the delivery to this device.
        package var state: DeliveryState
        /// The events that the device has reported, each once.
        package var receipts: [ReceiptEvent]
        /// APNs' last reason, or the reason why the push was not sent; absent if there is none.
        package var reason: String?

        package init(
            device: String, user: String?, state: DeliveryState, receipts: [ReceiptEvent], reason: String? = nil
        ) {
            self.device = device
            self.user = user
            self.state = state
            self.receipts = receipts
            self.reason = reason
        }
    }
}
