/// How many pushes a sender may have in flight: single messages keep places beside a message to many devices.
///
/// A value. A place is taken when a push is claimed and given back when its outcome is written down.
struct SendWindow: Sendable, Hashable {
    /// All places.
    let places: Int
    /// Places among them that ``DeliveryLane/bulk`` never takes.
    let reserved: Int
    private(set) var single = 0
    private(set) var bulk = 0

    init(
        places: Int = ServiceLimits.pushesInFlight, reserved: Int = ServiceLimits.placesForSingleMessages
    ) {
        self.places = places
        self.reserved = min(reserved, places)
    }

    var isEmpty: Bool { single + bulk == 0 }
    /// Places that are free.
    var room: Int { max(0, places - single - bulk) }
    /// Those of them that bulk may take: none before a part of its places is free, since each claim is a commit.
    var bulkRoom: Int {
        let free = places - reserved - bulk
        return free * ServiceLimits.bulkParts >= places - reserved ? max(0, min(room, free)) : 0
    }
    /// The part of bulk's places for which it is worth to write down outcomes.
    var bulkPart: Int { (places - reserved) / ServiceLimits.bulkParts }

    mutating func take(_ deliveries: [ClaimedDelivery]) {
        let ofMany = deliveries.indices.count { deliveries[$0].lane == .bulk }
        (single, bulk) = (single + deliveries.count - ofMany, bulk + ofMany)
    }

    mutating func giveBack(_ pushes: [SentPush]) {
        let ofMany = pushes.indices.count { pushes[$0].lane == .bulk }
        (single, bulk) = (single - pushes.count + ofMany, bulk - ofMany)
    }
}
