import CarillonCore

/// The places for a sender's pushes in flight; some are kept for single messages beside a message to many devices, and some for
/// the other apps beside any one app.
///
/// Bulk pushes leave some of them to single messages. It is a value. A push takes a place when it is claimed, and gives it back
/// when its outcome is stored.
struct SendWindow: Sendable, Hashable {
    /// The places that one app holds in one environment.
    private struct Held: Sendable, Hashable {
        var single = 0
        var bulk = 0
    }

    /// The number of places in all.
    let places: Int
    /// The number of places that ``DeliveryLane/bulk`` never takes.
    let reserved: Int
    /// The greatest number of places of one app in one environment, and of its bulk pushes.
    let share: Int
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
    /// The number of bulk outcomes that are worth a commit.
    var bulkPart: Int { min(bulkPlaces, bulkShare) / DeliveryLimits.bulkParts }
    /// The apps that have their share of places.
    var full: Set<AppID> { Set(held.filter { $0.value.single + $0.value.bulk >= share }.keys) }
    /// The apps whose bulk pushes have their share.
    var bulkFull: Set<AppID> { Set(held.filter { $0.value.bulk >= bulkShare }.keys) }

    /// Returns the number of pushes that may be claimed together, whichever app they are of.
    var claimRoom: Int {
        let most = held.values.map { $0.single + $0.bulk }.filter { $0 < share }.max() ?? 0
        return min(room, share - most)
    }

    /// Returns the number of bulk pushes that may be claimed now.
    ///
    /// It is 0 until half of the places are free that bulk pushes may take (``DeliveryLimits/bulkParts``), since each claim is a
    /// commit.
    ///
    /// - Parameter limit: the number of bulk's places, if less than ``bulkPlaces``.
    /// - Returns: the number of pushes that may be claimed.
    func bulkRoom(of limit: Int) -> Int {
        let counts = held.values.map(\.bulk)
        let ofFull = counts.filter { $0 >= bulkShare }.reduce(0, +)
        let others = counts.filter { $0 < bulkShare }
        let all = max(0, min(limit, bulkPlaces) - ofFull)
        let free = min(all - others.reduce(0, +), bulkShare - (others.max() ?? 0))
        return free * DeliveryLimits.bulkParts >= min(all, bulkShare) ? max(0, min(room, free)) : 0
    }

    /// Returns the window as if some apps held no places, because they wait for nothing that others need.
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
