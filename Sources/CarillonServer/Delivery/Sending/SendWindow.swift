import CarillonCore

/// The limit on a sender's pushes in flight, counted in places.
///
/// A push takes a place when it is claimed, and frees the place when its outcome is stored. Bulk pushes leave some places to
/// single messages. The pushes of one app leave some places to the other apps.
struct SendWindow: Sendable, Hashable {
    /// The places that one app holds in one environment.
    private struct Held: Sendable, Hashable {
        var single = 0
        var bulk = 0
    }

    /// The number of all places, free or taken.
    let places: Int
    /// The number of places that ``DeliveryLane/bulk`` never takes.
    let reserved: Int
    /// The greatest number of places of one app in one environment.
    let share: Int
    /// The greatest number of places of one app's bulk pushes in one environment.
    let bulkShare: Int
    private var held: [AppID: Held] = [:]

    init(
        places: Int = DeliveryLimits.pushesInFlight, reserved: Int = DeliveryLimits.placesForSingleMessages,
        share: Int = DeliveryLimits.pushesInFlightOfOneApp
    ) {
        self.places = places
        self.reserved = min(reserved, places)
        self.share = min(share, places)
        bulkShare = max(0, self.share - self.reserved)
    }

    var single: Int { held.values.reduce(0) { $0 + $1.single } }
    var bulk: Int { held.values.reduce(0) { $0 + $1.bulk } }
    var isEmpty: Bool { held.isEmpty }
    /// The number of free places.
    var room: Int { max(0, places - single - bulk) }
    /// The number of places that bulk pushes may take.
    var bulkPlaces: Int { places - reserved }
    /// The number of bulk outcomes that makes a commit worthwhile.
    var bulkPart: Int { min(bulkPlaces, bulkShare) / DeliveryLimits.bulkParts }
    /// The apps that hold their full share of places.
    var full: Set<AppID> { Set(held.filter { $0.value.single + $0.value.bulk >= share }.keys) }
    /// The apps whose bulk pushes hold their full share of places.
    var bulkFull: Set<AppID> { Set(held.filter { $0.value.bulk >= bulkShare }.keys) }

    /// The number of pushes that may be claimed together, even if all of them belong to one app.
    var claimRoom: Int {
        let most = held.values.map { $0.single + $0.bulk }.filter { $0 < share }.max() ?? 0
        return min(room, share - most)
    }

    /// Returns the number of bulk pushes that may be claimed now.
    ///
    /// Each claim costs a commit. So the number is 0 until half of the places that bulk pushes may take are free
    /// (``DeliveryLimits/bulkParts``).
    ///
    /// - Parameter limit: the number of places that bulk pushes may take, if less than ``bulkPlaces``.
    /// - Returns: the number of pushes that may be claimed.
    func bulkRoom(of limit: Int) -> Int {
        let counts = held.values.map(\.bulk)
        let ofFull = counts.filter { $0 >= bulkShare }.reduce(0, +)
        let others = counts.filter { $0 < bulkShare }
        let all = max(0, min(limit, bulkPlaces) - ofFull)
        let free = min(all - others.reduce(0, +), bulkShare - (others.max() ?? 0))
        return free * DeliveryLimits.bulkParts >= min(all, bulkShare) ? max(0, min(room, free)) : 0
    }

    /// Returns the window as if some apps held no places.
    ///
    /// The sending loop leaves stopped apps out in this way, because their pushes in flight delay no other push.
    func without(_ apps: Set<AppID>) -> SendWindow {
        guard !apps.isEmpty else { return self }
        var window = self
        window.held = held.filter { !apps.contains($0.key) }
        return window
    }

    mutating func take(_ deliveries: [ClaimedDelivery]) {
        for index in deliveries.indices { change(deliveries[index].app, deliveries[index].lane, by: 1) }
    }

    mutating func giveBack(_ pushes: [SentPush]) {
        for index in pushes.indices { change(pushes[index].app, pushes[index].lane, by: -1) }
        held = held.filter { $0.value.single + $0.value.bulk > 0 }
    }

    private mutating func change(_ app: AppID, _ lane: DeliveryLane, by count: Int) {
        switch lane {
        case .single: held[app, default: Held()].single += count
        case .bulk: held[app, default: Held()].bulk += count
        }
    }
}
