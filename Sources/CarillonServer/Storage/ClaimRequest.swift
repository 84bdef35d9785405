import CarillonCore

/// What a worker asks for.
package struct ClaimRequest: Sendable, Hashable {
    package var worker: String
    package var limit: Int
    package var leaseUntil: Timestamp
    /// Apps whose sending is stopped.
    package var except: Set<AppID>
    /// Only this app's deliveries; `nil` for all.
    package var only: AppID?

    package init(worker: String, limit: Int, leaseUntil: Timestamp, except: Set<AppID> = [], only: AppID? = nil) {
        self.worker = worker
        self.limit = limit
        self.leaseUntil = leaseUntil
        self.except = except
        self.only = only
    }
}
