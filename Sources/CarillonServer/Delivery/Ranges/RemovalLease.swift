import CarillonCore

/// The removal pushes of a chunk that one sender has in flight; each is one bit and has no row.
///
/// A device gets at most one removal push from a chunk, so the lease of each push is its first. A push that APNs
/// accepts is done; a push that needs more state gets a row.
struct RemovalLease: Sendable, Hashable {
    /// The chunk's number.
    let chunk: Int64
    let sender: SenderNumber
    /// The time at which the first of the pushes was handed over.
    var began: Timestamp
    /// The places of the devices whose push is in flight.
    var places = DeviceSet()

    /// The state of each of the pushes, which is equal for all devices.
    ///
    /// The push's revision is the chunk's number with a minus sign. Pushes with rows count their revisions from 1 for
    /// each device. So no two pushes to a device have equal revisions.
    var push: Push {
        var push = Push(revision: -Int(chunk), queued: began, due: began)
        _ = push.lease(to: sender)
        return push
    }

    /// The lease under which the pushes are sent.
    var lease: Lease { Lease(sender: sender, epoch: push.epoch) }

    /// Removes one push from the pushes in flight.
    ///
    /// - Parameters:
    ///   - place: the device's place.
    ///   - lease: the lease under which the push was sent.
    /// - Returns: whether the push was in flight under that lease. If not, nothing changes.
    mutating func end(_ place: Int, under lease: Lease) -> Bool {
        guard lease == self.lease, places.contains(place) else { return false }
        places.remove(place)
        return true
    }
}
