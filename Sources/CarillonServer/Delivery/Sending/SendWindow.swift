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
    /// The free places that bulk may take: none before a part of its own is free, since each claim is a commit.
    ///
    /// - Parameter limit: how many places bulk has, where that is less than all.
    /// - Returns: how many may be claimed.
    func bulkRoom(of limit: Int) -> Int {
        let all = min(limit, bulkPlaces)
        let free = all - bulk
        return free * ServiceLimits.bulkParts >= all ? max(0, min(room, free)) : 0
    }
    /// All that bulk may have.
    var bulkPlaces: Int { places - reserved }
    /// The part of bulk's places for which it is worth to write down outcomes.
    var bulkPart: Int { bulkPlaces / ServiceLimits.bulkParts }

    mutating func take(_ deliveries: [ClaimedDelivery]) {
        let ofMany = deliveries.indices.count { deliveries[$0].lane == .bulk }
        (single, bulk) = (single + deliveries.count - ofMany, bulk + ofMany)
    }

    mutating func giveBack(_ pushes: [SentPush]) {
        let ofMany = pushes.indices.count { pushes[$0].lane == .bulk }
        (single, bulk) = (single - pushes.count + ofMany, bulk - ofMany)
    }
}
