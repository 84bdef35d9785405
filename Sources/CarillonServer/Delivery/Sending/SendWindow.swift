/// The places for a sender's pushes in flight.
///
/// Bulk pushes leave some of them to single messages. It is a value. A push takes a place when it is claimed, and gives it back
/// when its outcome is stored.
struct SendWindow: Sendable, Hashable {
    /// The number of places in all.
    let places: Int
    /// The number of places that ``DeliveryLane/bulk`` never takes.
    let reserved: Int
    private(set) var single = 0
    private(set) var bulk = 0

    init(
        places: Int = DeliveryLimits.pushesInFlight, reserved: Int = DeliveryLimits.placesForSingleMessages
    ) {
        self.places = places
        self.reserved = min(reserved, places)
    }

    var isEmpty: Bool { single + bulk == 0 }
    /// The number of free places.
    var room: Int { max(0, places - single - bulk) }
    /// Returns the number of bulk pushes that may be claimed now.
    ///
    /// It is 0 until half of bulk's places are free (``DeliveryLimits/bulkParts``), since each claim is a commit.
    ///
    /// - Parameter limit: the number of bulk's places, if less than ``bulkPlaces``.
    /// - Returns: the number of pushes that may be claimed.
    func bulkRoom(of limit: Int) -> Int {
        let all = min(limit, bulkPlaces)
        let free = all - bulk
        return free * DeliveryLimits.bulkParts >= all ? max(0, min(room, free)) : 0
    }
    /// The number of places that bulk pushes may take.
    var bulkPlaces: Int { places - reserved }
    /// The number of bulk outcomes that justifies a commit.
    var bulkPart: Int { bulkPlaces / DeliveryLimits.bulkParts }

    mutating func take(_ deliveries: [ClaimedDelivery]) {
        let ofMany = deliveries.indices.count { deliveries[$0].lane == .bulk }
        (single, bulk) = (single + deliveries.count - ofMany, bulk + ofMany)
    }

    mutating func giveBack(_ pushes: [SentPush]) {
        let ofMany = pushes.indices.count { pushes[$0].lane == .bulk }
        (single, bulk) = (single - pushes.count + ofMany, bulk - ofMany)
    }
}
