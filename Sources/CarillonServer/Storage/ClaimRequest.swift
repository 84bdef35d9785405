import CarillonCore

/// What a worker asks for.
package struct ClaimRequest: Sendable, Hashable {
    var worker: String
    var limit: Int
    var leaseUntil: Timestamp
    /// Apps whose sending is stopped.
    package var except: Set<AppID> = []
    /// Only this app's deliveries; `nil` for all.
    package var only: AppID?
}
