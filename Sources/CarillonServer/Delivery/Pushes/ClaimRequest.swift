import CarillonCore

/// What a sender asks for.
package struct ClaimRequest: Sendable, Hashable {
    /// Who leases.
    var sender: SenderNumber
    /// How many deliveries at most.
    var limit: Int
    /// How many of them may be of messages to many devices (``DeliveryLane/bulk``).
    var bulkLimit: Int
    /// Apps whose sending is stopped.
    package var except: Set<AppID> = []
    /// Only this app's deliveries; `nil` for all.
    package var only: AppID?
    /// Whether it asks whether an app can be sent for again.
    var isProbe: Bool { only != nil }

    init(sender: SenderNumber, limit: Int, bulkLimit: Int? = nil) {
        self.sender = sender
        self.limit = limit
        self.bulkLimit = bulkLimit ?? limit
    }
}
