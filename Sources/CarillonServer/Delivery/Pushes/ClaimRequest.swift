import CarillonCore

/// A sender's request for deliveries.
package struct ClaimRequest: Sendable, Hashable {
    /// The sender that asks for the deliveries and gets their leases.
    var sender: SenderNumber
    /// The greatest number of deliveries to claim.
    var limit: Int
    /// The greatest number of bulk deliveries in the claim (``DeliveryLane/bulk``).
    var bulkLimit: Int
    /// The apps that get no delivery: their sending is stopped, or they have their full share of pushes in flight.
    package var except: Set<AppID> = []
    /// Further apps whose bulk deliveries are not claimed, because they already have their share of the bulk pushes.
    var bulkExcept: Set<AppID> = []
    /// The only app to claim deliveries for; `nil` for all apps.
    ///
    /// A probe names one app, to test whether the app's pushes can be sent again.
    package var only: AppID?

    init(sender: SenderNumber, limit: Int, bulkLimit: Int? = nil) {
        self.sender = sender
        self.limit = limit
        self.bulkLimit = bulkLimit ?? limit
    }
}
