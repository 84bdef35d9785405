/// The right of one sender to send one push, until the sender reports an outcome or is known to be gone.
///
/// A lease contains no time. Another sender takes it over if it knows that the owner's process has ended. It also does so if it
/// has seen no heartbeat of the owner for the duration of a lease (``SenderWatch``).
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
