import CarillonCore

/// Groups of the devices of a chunk: by the state of their pushes, and by what they have reported.
extension RangeChunk {
    /// The devices whose pushes have a state, as a report counts them.
    ///
    /// Devices whose deliveries are stored in database rows, and not in the bitmaps of this ``RangeChunk``, are left out.
    func devices(in state: DeliveryState) -> DeviceSet {
        let (passed, coming) = (unsent.places().prefix { $0 < position }, unsent.places(from: position))
        var found =
            switch state {
            case .accepted: plain.intersection(self[.accepted])
            case .queued: sender == nil ? DeviceSet() : inFlight
            case .unanswered: sender == nil ? inFlight : DeviceSet()
            case .cancelled: DeviceSet(passed)
            case .rejected, .expired, .setAside, .skipped: DeviceSet()
            }
        if rest == state { found = found.union(DeviceSet(coming)) }
        return found
    }

    /// The devices of a group that the bits of this chunk name.
    ///
    /// A receipt's bit is set for a device with rows too. Devices with rows that belong to a group by the state of their push are
    /// left out.
    func devices(in group: RecipientGroup) -> DeviceSet {
        let byState = group.state.map { devices(in: $0) } ?? DeviceSet()
        guard group != .notShown else { return devices(in: DeliveryState.accepted).subtracting(reported(Self.seen)) }
        return group.event.map { byState.union(self[ChunkMark($0)]) } ?? byState
    }

    /// The events that show that the person could see the message.
    static let seen: [ReceiptEvent] = [.shown, .opened, .acted, .dismissed]
}

extension RecipientGroup {
    /// The state of the devices' pushes; `nil` for a group by receipts.
    var state: DeliveryState? {
        switch self {
        case .queued: .queued
        case .accepted, .notShown: .accepted
        case .rejected: .rejected
        case .unanswered: .unanswered
        case .cancelled: .cancelled
        case .expired: .expired
        case .setAside: .setAside
        case .skipped: .skipped
        case .received, .shown, .opened, .acted, .dismissed, .recalled: nil
        }
    }

    /// The event that the devices have reported; `nil` for a group that needs none.
    var event: ReceiptEvent? { ReceiptEvent(rawValue: rawValue) }
}
