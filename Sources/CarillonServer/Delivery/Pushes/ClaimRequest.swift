import CarillonCore

/// A sender's request to the store for due deliveries, which the store leases to this sender alone.
package struct ClaimRequest: Sendable, Hashable {
    /// The sender that asks for the deliveries and gets their leases.
    var sender: SenderNumber
    /// The greatest number of deliveries to return.
    var limit: Int
    /// The greatest number of deliveries to return from the queue ``DeliveryLane/bulk``.
    var bulkLimit: Int
    /// The apps whose deliveries are not returned.
    ///
    /// Their sending is stopped, or the greatest allowed number of their pushes is in flight.
    package var except: Set<AppID> = []
    /// Further apps whose deliveries in ``DeliveryLane/bulk`` are not returned.
    ///
    /// The greatest allowed number of their pushes from this queue is in flight.
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
