/// The error that another sender has taken over this sender's leases (``Lease``), because this sender had no heartbeat
/// for too long.
///
/// The limit is ``DeliveryLimits/leaseDuration``. To go on, this sender must register in the store again.
package struct SenderEnded: Error, Sendable, Hashable {
    package init() {}
}
