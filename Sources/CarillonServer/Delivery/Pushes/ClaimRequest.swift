import CarillonCore

/// A sender's request to the store for due deliveries, which the store leases to this sender alone.
package struct ClaimRequest: Sendable, Hashable {
    /// The sender that asks for the deliveries and gets their leases.
    var sender: SenderNumber
    /// The greatest number of deliveries to return.
    var limit: Int
    /// The greatest number of deliveries to return from the queue ``DeliveryLane/bulk``.
    var bulkLimit: Int
    /// The apps whose deliveries are not returned, because their sending is stopped or they have as many pushes in flight as
    /// allowed.
    package var except: Set<AppID> = []
    /// Further apps that get no deliveries from the queue ``DeliveryLane/bulk``, because they have as many pushes of this queue
    /// in flight as allowed.
    var bulkExcept: Set<AppID> = []
    /// The only app to return deliveries for; `nil` for all apps.
    ///
    /// If an app's sending is stopped, a request for this app alone tests whether its pushes can be sent again.
    package var only: AppID?

    init(sender: SenderNumber, limit: Int, bulkLimit: Int? = nil) {
        self.sender = sender
        self.limit = limit
        self.bulkLimit = bulkLimit ?? limit
    }
}
