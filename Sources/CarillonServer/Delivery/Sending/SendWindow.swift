import CarillonCore

/// The limit on a sender's pushes in flight.
///
/// A push counts as in flight from the time at which the sender leases it until its outcome is stored. Pushes of the
/// queue ``DeliveryLane/bulk`` cannot use the whole limit: a part is reserved for pushes of ``DeliveryLane/single``. No
/// app can use the whole limit, so that other apps can always send.
struct SendWindow: Sendable, Hashable {
    /// The number of one app's pushes in flight in one environment, for each queue (``DeliveryLane``).
    private struct Held: Sendable, Hashable {
        var single = 0
        var bulk = 0
    }

    /// The number of pushes that may be in flight at once.
    let places: Int
    /// The part of ``places`` that pushes of ``DeliveryLane/bulk`` cannot use.
    let reserved: Int
    /// The number of one app's pushes that may be in flight at once in one environment.
    let share: Int
    /// The number of one app's pushes of ``DeliveryLane/bulk`` that may be in flight at once in one environment.
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
    /// The number of further pushes that may be in flight now.
    var room: Int { max(0, places - single - bulk) }
    /// The number of pushes from the queue ``DeliveryLane/bulk`` that may be in flight at once.
    var bulkPlaces: Int { places - reserved }
    /// The number of collected outcomes of pushes from ``DeliveryLane/bulk`` at which the sender stores them in one commit.
    var bulkPart: Int { min(bulkPlaces, bulkShare) / DeliveryLimits.bulkParts }
    /// The apps that may have no further push in flight, because they have reached ``share``.
    var full: Set<AppID> { Set(held.filter { $0.value.single + $0.value.bulk >= share }.keys) }
    /// The apps that may have no further push of ``DeliveryLane/bulk`` in flight, because they have reached ``bulkShare``.
    var bulkFull: Set<AppID> { Set(held.filter { $0.value.bulk >= bulkShare }.keys) }

    /// The number of pushes that the sender may lease in one request: so few that no app exceeds its limit ``share``, even if all
    /// of them belong to one app.
    ///
    /// The request leaves out the apps that have reached the limit (``full``).
    var claimRoom: Int {
        let most = held.values.map { $0.single + $0.bulk }.filter { $0 < share }.max() ?? 0
        return min(room, share - most)
    }

    /// Returns the number of pushes from ``DeliveryLane/bulk`` that the sender may lease now.
    ///
    /// Each request to lease pushes costs a commit. So the number is 0 while more than half of the allowed bulk pushes
    /// are in flight (``DeliveryLimits/bulkParts``).
    ///
    /// - Parameter limit: the greatest number of bulk pushes in flight, if less than ``bulkPlaces``.
    /// - Returns: the number of pushes that may be leased.
    func bulkRoom(of limit: Int) -> Int {
        let counts = held.values.map(\.bulk)
        let ofFull = counts.filter { $0 >= bulkShare }.reduce(0, +)
        let others = counts.filter { $0 < bulkShare }
        let all = max(0, min(limit, bulkPlaces) - ofFull)
        let free = min(all - others.reduce(0, +), bulkShare - (others.max() ?? 0))
        return free * DeliveryLimits.bulkParts >= min(all, bulkShare) ? max(0, min(room, free)) : 0
    }

    /// Returns a copy of the window that does not count the pushes in flight of the given apps.
    ///
    /// The sending loop passes the apps whose sending is stopped, because their pushes in flight delay no other push.
    func without(_ apps: Set<AppID>) -> SendWindow {
        guard !apps.isEmpty else { return self }
        var window = self
        window.held = held.filter { !apps.contains($0.key) }
        return window
    }

    mutating func take(_ deliveries: [ClaimedDelivery]) {
        for run in AppRuns(of: deliveries) {
            let singles = run.indices.count { deliveries[$0].lane == .single }
            change(run.app, single: singles, bulk: run.indices.count - singles)
        }
    }

    mutating func giveBack(_ pushes: [SentPush]) {
        for run in AppRuns(of: pushes) {
            let singles = run.indices.count { pushes[$0].lane == .single }
            change(run.app, single: -singles, bulk: singles - run.indices.count)
        }
    }

    private mutating func change(_ app: AppID, single: Int, bulk: Int) {
        var changed = held[app] ?? Held()
        changed.single += single
        changed.bulk += bulk
        held[app] = changed.single + changed.bulk > 0 ? changed : nil
    }
}
