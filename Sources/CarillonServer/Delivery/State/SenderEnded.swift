/// The error that another sender has taken over this sender's leases, because this sender had no heartbeat for a lease's
/// duration.
///
/// To go on, this sender must join again.
package struct SenderEnded: Error, Sendable, Hashable {
    package init() {}
}
