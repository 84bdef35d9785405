/// The right of one sender to send one push, until it says what came of it or is known to be gone.
///
/// No clock is in it: who takes a lease over has seen its owner silent for a whole lease on a monotonic clock of its own
/// (``SenderWatch``), or knows the owner's process dead.
package struct Lease: Sendable, Hashable {
    /// Whose it is.
    package var sender: SenderNumber
    /// Which of the push's leases, counted from 1: an answer under an earlier one changes no state.
    package var epoch: Int

    package init(sender: SenderNumber, epoch: Int) {
        self.sender = sender
        self.epoch = epoch
    }
}
