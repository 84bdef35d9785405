/// The error for a sender whose leases another sender has taken over, because it had no heartbeat for a lease's
/// duration.
///
/// The sender must join again.
package struct SenderEnded: Error, Sendable, Hashable {
    package init() {}
}
