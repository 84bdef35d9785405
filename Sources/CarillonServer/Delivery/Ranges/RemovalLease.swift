import CarillonCore

/// Pushes with removals that a sender has in flight from a chunk: each is one bit, and has no row.
///
/// A device is told once from a chunk, so these leases are all first ones. What APNs accepts is done; a push of which more is to
/// be kept gets a row.
struct RemovalLease: Sendable, Hashable {
    /// The chunk's number.
    let chunk: Int64
    let sender: SenderNumber
    /// When the first of them was handed over.
    var began: Timestamp
    /// The places of the devices.
    var places = DeviceSet()

    /// The push, which is the same for each device but for what the device is to remove.
    ///
    /// Its revision is below 0 and names the chunk: those of pushes that have rows from the first are counted from 1 for each
    /// device, and no two pushes to a device have one.
    var push: Push {
        var push = Push(revision: -Int(chunk), queued: began, due: began)
        _ = push.lease(to: sender)
        return push
    }

    /// The right to send them.
    var lease: Lease { Lease(sender: sender, epoch: push.epoch) }

    /// A push is in flight no more.
    ///
    /// - Parameters:
    ///   - place: the device's place.
    ///   - lease: under which it was sent.
    /// - Returns: whether it was in flight under that lease; else nothing is changed.
    mutating func end(_ place: Int, under lease: Lease) -> Bool {
        guard lease == self.lease, places.contains(place) else { return false }
        places.remove(place)
        return true
    }
}
