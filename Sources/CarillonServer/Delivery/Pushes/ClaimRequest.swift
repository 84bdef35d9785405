import CarillonCore

/// A sender's request for deliveries.
package struct ClaimRequest: Sendable, Hashable {
    /// The sender that is to lease the deliveries.
    var sender: SenderNumber
    /// The greatest number of deliveries to claim.
    var limit: Int
    /// The greatest number of bulk deliveries in the claim (``DeliveryLane/bulk``).
    var bulkLimit: Int
    /// The apps whose sending is stopped.
    package var except: Set<AppID> = []
    /// The other apps whose bulk deliveries are not claimed, because the apps have their share.
    var bulkExcept: Set<AppID> = []
    /// The only app to claim deliveries for, in a probe that tests whether its pushes can be sent again; `nil` for all apps.
    package var only: AppID?

    init(sender: SenderNumber, limit: Int, bulkLimit: Int? = nil) {
        self.sender = sender
        self.limit = limit
        self.bulkLimit = bulkLimit ?? limit
    }
}
