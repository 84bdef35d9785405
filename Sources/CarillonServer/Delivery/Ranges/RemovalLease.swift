import CarillonCore

/// The right of one sender to send removal pushes to devices of one ``RangeChunk`` (the deliveries of a message to a range of
/// devices).
///
/// The removal pushes in flight are bits in ``places`` and have no rows in the database. A device gets at most one removal push
/// from a chunk. If the push must be sent again, it gets a row.
struct RemovalLease: Sendable, Hashable {
    /// The ``RangeChunk``'s number in the table `chunks`.
    let chunk: Int64
    let sender: SenderNumber
    /// The time at which the first of the pushes was handed to APNs.
    var began: Timestamp
    /// The devices whose removal push is in flight, by their positions in the ``RangeChunk``.
    var places = DeviceSet()

    /// The state of a removal push in flight, which is equal for all devices in ``places``.
    ///
    /// The push's revision is the chunk's number with a minus sign. Pushes that are stored in rows of the table `deliveries` have
    /// positive revisions. So no two pushes to a device have equal revisions.
    var push: Push {
        var push = Push(revision: -Int(chunk), queued: began, due: began)
        _ = push.lease(to: sender)
        return push
    }

    /// The lease (the exclusive right of one sender) under which the removal pushes are sent.
    var lease: Lease { Lease(sender: sender, epoch: push.epoch) }

    /// Removes a device's push from the removal pushes in flight.
    ///
    /// - Parameters:
    ///   - place: the device's position in the ``RangeChunk``.
    ///   - lease: the lease under which the push was sent.
    /// - Returns: whether the push was in flight under that lease. If not, nothing changes.
    mutating func end(_ place: Int, under lease: Lease) -> Bool {
        guard lease == self.lease, places.contains(place) else { return false }
        places.remove(place)
        return true
    }
}
