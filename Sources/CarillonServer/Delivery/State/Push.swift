import CarillonCore

/// The state of one push to one device: its attempts, its lease, and whether it may have arrived.
package struct Push: Sendable, Hashable {
    /// The revision of the message to send; for a push without a message, such as a badge push, its running number on the device.
    ///
    /// The removal pushes of a ``RangeChunk`` have no running number, but a negative number (``RemovalLease/push``).
    package var revision: Int
    package var state = DeliveryState.queued
    /// The number of attempts at this revision that may have arrived, including the attempt in flight.
    package var attempt = 0
    /// The number of tries to send this revision, including tries that cannot have arrived.
    ///
    /// The wait before a retry grows with the number of tries.
    package var tries = 0
    package var reach = Reach.none
    /// The former value of ``reach``: whether an attempt before the one in flight may have arrived.
    package var reachBefore = Reach.none
    package var queued: Timestamp
    /// The earliest time to send the push.
    package var due: Timestamp
    /// The number of times that senders have leased the push; each lease is the exclusive right to send it.
    package var epoch = 0
    /// The sender that has leased the push and has it in flight; `nil` if none has.
    package var sender: SenderNumber?
    /// The attempt in flight; `nil` if there is none.
    ///
    /// A newer revision may have been queued since the attempt began.
    package var inFlight: Attempt?

    package init(revision: Int, queued: Timestamp, due: Timestamp) {
        self.revision = revision
        self.queued = queued
        self.due = due
    }

    /// Whether the push is queued and no sender has leased it.
    package var isWaiting: Bool { state == .queued && sender == nil }
    package var isLeased: Bool { sender != nil }
    /// Returns whether the push, of a message in local time, waits for the moment of its device.
    func waitsForMoment(at now: Timestamp) -> Bool { state == .queued && due > now }
    package var mayHaveArrived: Bool { reach > .none }

    /// Queues a new revision, whose attempts are counted from 1.
    ///
    /// ``reach`` does not change, because an earlier revision may have arrived. An attempt in flight goes on. The new revision
    /// waits until that attempt has an answer, because it must not overtake the attempt.
    package mutating func requeue(revision: Int, at now: Timestamp, due: Timestamp) {
        self.revision = revision
        state = .queued
        (attempt, tries) = (0, 0)
        queued = now
        self.due = due
    }

    /// Leases the push to a sender, which then has the exclusive right to send it.
    ///
    /// The attempt is counted before it is made. So after a crash, the attempt counts as one that may have arrived.
    package mutating func lease(to sender: SenderNumber) -> Lease {
        epoch += 1
        self.sender = sender
        attempt += 1
        tries += 1
        reachBefore = reach
        reach = max(reach, .possible)
        inFlight = Attempt(revision: revision, number: attempt)
        return Lease(sender: sender, epoch: epoch)
    }

    /// Returns whether the push is in flight under this lease, the exclusive right of one sender to send it.
    package func isHeld(under lease: Lease) -> Bool { sender == lease.sender && epoch == lease.epoch }

    /// Ends the sender's exclusive right to send the push (``Lease``); the push's ``state`` stays unchanged.
    package mutating func endLease() { (sender, inFlight) = (nil, nil) }

    /// Restores the value that ``reach`` had before the last attempt, because that attempt cannot have arrived.
    mutating func restoreReach() { reach = reachBefore }

    /// Schedules another try of the push.
    ///
    /// If the last attempt cannot have arrived, ``attempt`` no longer counts it.
    mutating func retry(due: Timestamp, mayHaveArrived: Bool) {
        self.due = due
        if !mayHaveArrived { attempt = max(0, attempt - 1) }
    }
}
