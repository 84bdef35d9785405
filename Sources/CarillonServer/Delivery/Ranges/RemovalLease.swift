import CarillonCore

/// The removal pushes that a sender has in flight from a chunk; each is one bit and has no row.
///
/// A device is sent one removal push from a chunk, so each of these leases is the first. A push that APNs accepts is done; a
/// push that needs more state gets a row.
struct RemovalLease: Sendable, Hashable {
    /// The chunk's number.
    let chunk: Int64
    let sender: SenderNumber
    /// The time at which the first of them was handed over.
    var began: Timestamp
    /// The places of the devices.
    var places = DeviceSet()

    /// The push, equal for all devices except for the removals that it carries.
    ///
    /// Its revision is negative and names the chunk. Pushes with rows count their revisions from 1 for each device, so no two
    /// pushes to a device share a revision.
    var push: Push {
        var push = Push(revision: -Int(chunk), queued: began, due: began)
        _ = push.lease(to: sender)
        return push
    }

    /// The lease under which the pushes are sent.
    var lease: Lease { Lease(sender: sender, epoch: push.epoch) }

    /// Ends the flight of one push.
    ///
    /// - Parameters:
    ///   - place: the device's place.
    ///   - lease: the lease under which the push was sent.
    /// - Returns: whether the push was in flight under that lease; if not, nothing is changed.
    mutating func end(_ place: Int, under lease: Lease) -> Bool {
        guard lease == self.lease, places.contains(place) else { return false }
        places.remove(place)
        return true
    }
}
