import CarillonCore

/// What a worker asks for.
package struct ClaimRequest: Sendable, Hashable {
    /// The name under which the lease is held.
    var worker: String
    /// How many deliveries at most.
    var limit: Int
    /// When the lease ends by itself.
    var leaseUntil: Timestamp
    /// Apps whose sending is stopped.
    package var except: Set<AppID> = []
    /// Only this app's deliveries; `nil` for all.
    package var only: AppID?
}
