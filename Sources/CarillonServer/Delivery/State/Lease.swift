/// The right of one sender to send one push, until the sender reports an outcome or is known to be gone.
///
/// A lease contains no time. Another sender takes the lease over once the owner's process is known to have ended. It
/// also does so once the owner has had no heartbeat for ``DeliveryLimits/leaseDuration`` (``SenderWatch``).
package struct Lease: Sendable, Hashable {
    /// The sender that owns the lease.
    package var sender: SenderNumber
    /// The number of this lease among the push's leases, counted from 1.
    ///
    /// An answer under an earlier lease changes no state.
    package var epoch: Int

    package init(sender: SenderNumber, epoch: Int) {
        self.sender = sender
        self.epoch = epoch
    }
}
