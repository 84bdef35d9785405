import CarillonCore

/// One push on its way to one device: its attempts, its lease, and whether it may have arrived.
package struct Push: Sendable, Hashable {
    /// The message's revision that is to be sent; for a push about no message, counted for each device, or below 0
    /// (``RemovalLease/push``).
    package var revision: Int
    package var state = DeliveryState.queued
    /// Attempts at this revision that may have arrived, the one in flight included.
    package var attempt = 0
    /// How often this revision was tried, whether or not it can have arrived: what back-off grows with.
    package var tries = 0
    package var reach = Reach.none
    /// What ``reach`` was before the attempt in flight.
    package var reachBefore = Reach.none
    package var queued: Timestamp
    /// Not before then.
    package var due: Timestamp
    /// How often it was leased.
    package var epoch = 0
    /// Who has it in flight.
    package var sender: SenderNumber?
    /// What its sender has in flight: a newer revision may have taken the push's place since.
    package var inFlight: Attempt?

    package init(revision: Int, queued: Timestamp, due: Timestamp) {
        self.revision = revision
        self.queued = queued
        self.due = due
    }

    /// It is to be sent, and nobody has begun.
    package var isWaiting: Bool { state == .queued && sender == nil }
    package var isLeased: Bool { sender != nil }
    package var mayHaveArrived: Bool { reach > .none }

    /// Another revision takes its place, from its first attempt.
    ///
    /// What may have reached the phone stays, whatever replaces it. An attempt in flight goes on: the new revision must
    /// not overtake it, so it waits for that attempt's answer.
    package mutating func requeue(revision: Int, at now: Timestamp, due: Timestamp) {
        self.revision = revision
        state = .queued
        (attempt, tries) = (0, 0)
        queued = now
        self.due = due
    }

    /// A sender takes it.
    ///
    /// The attempt is counted before it is made: after a crash it counts as one that may have arrived.
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

    /// Whether a lease is the one under which it is in flight.
    package func isHeld(under lease: Lease) -> Bool { sender == lease.sender && epoch == lease.epoch }

    /// The lease ends; the push is where its state says.
    package mutating func endLease() { (sender, inFlight) = (nil, nil) }

    /// APNs did not take it: it is where it was before the attempt.
    mutating func restoreReach() { reach = reachBefore }

    /// It is to be tried again.
    ///
    /// An attempt that cannot have arrived is no attempt to the phone.
    mutating func retry(due: Timestamp, mayHaveArrived: Bool) {
        self.due = due
        if !mayHaveArrived { attempt = max(0, attempt - 1) }
    }
}
