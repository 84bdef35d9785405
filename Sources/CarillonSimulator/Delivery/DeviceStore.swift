import CarillonCore
import Foundation

/// The state of all devices at APNs: which are online, which tokens are valid, and which pushes wait.
///
/// The store is a value that makes decisions: its methods take the time, and return the actions to perform.
struct DeviceStore: Sendable {
    struct TokenOwner: Sendable, Hashable {
        var bundleID: String
        var environment: APNsEnvironment
    }

    struct TokenEntry: Sendable {
        var device: Int
        var owner: TokenOwner
        var end: TokenEnd?
    }

    /// The end of a token's validity: its reason, its time, and the time from which senders get 410.
    struct TokenEnd: Sendable, Hashable {
        var reason: RejectionReason
        var since: Timestamp
        var refusedFrom: Timestamp
    }

    /// An action that ``DeviceFleet`` performs.
    enum Action: Sendable {
        case deliver(device: Int, SimulatorPush, late: Bool)
        case record(DeviceEvent)
        /// Calls ``DeviceStore/wake(device:at:)`` at this time, when waiting pushes of the device may be delivered.
        case wake(device: Int, at: Timestamp)
    }

    var rules: DeliveryRules
    var devices: [Device] = []
    private var places = PlaceTable()
    private(set) var tokens = TokenTable()
    /// The devices that follow each channel, as device indices in the order in which they began to follow.
    var followers: [Channel: [Int]] = [:]
    /// The channels that each device follows, by device index.
    ///
    /// A device that follows no channel has no entry.
    var following: [Int: Set<Channel>] = [:]

    init(rules: DeliveryRules) { self.rules = rules }

    func index(of device: String) -> Int? { places.place(hash: device.hashValue) { devices[$0].id == device } }

    mutating func register(_ id: String) -> Int {
        if let index = index(of: id) { return index }
        devices.append(Device(id: id))
        let devices = devices
        places.insert(devices.count - 1, hash: id.hashValue) { devices[$0].id.hashValue }
        return devices.count - 1
    }

    // MARK: - Tokens

    /// Returns an app's valid token on a device, or registers `fresh` as the token if there is none.
    ///
    /// With `isNew`, registers `fresh` in any case.
    ///
    /// - Returns: the token, and the actions to perform.
    mutating func issueToken(
        device id: String, owner: TokenOwner, fresh: DeviceToken, isNew: Bool = false
    ) -> (DeviceToken, [Action]) {
        let index = register(id)
        if !isNew, let place = devices[index].tokens.first(where: { tokens[$0].owner == owner }),
            let known = tokens.token(at: place)
        {
            return (known, [])
        }
        devices[index].hold(tokens.insert(fresh, device: index, owner: owner))
        return (fresh, [event(index, .tokenIssued(bundleID: owner.bundleID))])
    }

    /// Returns whether a token was ever issued, even if it has ended.
    func hasIssued(_ token: DeviceToken) -> Bool { tokens.place(of: token) != nil }

    /// Ends a token, and discards the pushes that wait for it.
    ///
    /// - Parameters:
    ///   - token: the token. If it is unknown or has already ended, nothing changes.
    ///   - reason: `unregistered` or `expiredToken`; senders get it with status 410.
    ///   - now: the time of the token's end.
    /// - Returns: the actions to perform.
    mutating func invalidate(_ token: DeviceToken, reason: RejectionReason, at now: Timestamp) -> [Action] {
        guard let place = tokens.place(of: token), case let entry = tokens[place], entry.end == nil else { return [] }
        tokens.end(place, TokenEnd(reason: reason, since: now, refusedFrom: now + rules.unregisteredDelay))
        devices[entry.device].drop(place)
        stopFollowing(entry.owner.bundleID, on: entry.device)
        let gone = devices[entry.device].stored.filter { $0.push.token == token }
        devices[entry.device].stored.removeAll { $0.push.token == token }
        return [event(entry.device, .tokenInvalidated(bundleID: entry.owner.bundleID, reason: reason))]
            + gone.map { event(entry.device, .discarded(.unregistered), $0.push) }
    }

    /// Counts a request for a token against the token's budget.
    ///
    /// - Returns: whether the request is within the budget; false for an unknown token.
    mutating func admitRequest(for token: DeviceToken, under budget: DeliveryRules.Budget, at now: Timestamp) -> Bool {
        guard let place = tokens.place(of: token) else { return false }
        return tokens.admitRequest(place, under: budget, at: now)
    }

    // MARK: - Pushes

    /// Delivers, stores or discards an accepted push to a device: a broadcast, or a push to one of the device's tokens.
    mutating func accept(_ push: SimulatorPush, on index: Int, at now: Timestamp) -> [Action] {
        guard let token = push.token, let entry = tokens.entry(of: token) else {
            return route(push, on: index, at: now)
        }
        return accept(push, for: entry, at: now)
    }

    /// Delivers, stores or discards an accepted push whose token has already been looked up.
    ///
    /// Passing the token's entry avoids a second look-up, which is costly with 100,000 devices.
    mutating func accept(_ push: SimulatorPush, for entry: TokenEntry, at now: Timestamp) -> [Action] {
        guard entry.end == nil else { return [event(entry.device, .discarded(.unregistered), push)] }
        return route(push, on: entry.device, at: now)
    }

    private mutating func route(_ push: SimulatorPush, on index: Int, at now: Timestamp) -> [Action] {
        if case .at(let moment) = push.expiration, moment <= now, rules.expiry == .strict {
            return [event(index, .discarded(.expired), push)]
        }
        guard devices[index].isOnline else { return store(push, on: index, because: .offline, at: now) }
        guard devices[index].power.admits(priority: push.priority) else {
            return store(push, on: index, because: .power, at: now)
        }
        if let moment = throttleEnd(of: push, on: index, at: now) {
            return store(push, on: index, because: .throttled, at: now) + [.wake(device: index, at: moment)]
        }
        return dropThrottled(before: push, on: index, at: now)
            + [.deliver(device: index, push, late: isLate(push, at: now))]
    }

    /// Discards the throttled pushes in whose place a newer background push is delivered.
    ///
    /// Only the newest background push is kept, so an older one must not follow it.
    private mutating func dropThrottled(before push: SimulatorPush, on index: Int, at now: Timestamp) -> [Action] {
        guard push.pushType == .background, !devices[index].stored.isEmpty else { return [] }
        let newer = StoredPush(push: push, cause: .throttled, keptUntil: now, storageEnd: now)
        return replace(with: newer, on: index, at: now)
    }

    /// Removes the stored pushes that a newer push replaces.
    private mutating func replace(with newcomer: StoredPush, on index: Int, at now: Timestamp) -> [Action] {
        let policy = rules.storage
        let replaced = devices[index].stored.filter { $0.sharesPlace(with: newcomer, under: policy) }
        guard !replaced.isEmpty else { return [] }
        devices[index].stored.removeAll { $0.sharesPlace(with: newcomer, under: policy) }
        // A replaced push that had already expired counts as expired.
        return replaced.map { event(index, .discarded(now < end(of: $0) ? .replaced : .expired), $0.push) }
    }

    private mutating func throttleEnd(of push: SimulatorPush, on index: Int, at now: Timestamp) -> Timestamp? {
        guard push.pushType == .background, let budget = rules.backgroundBudget else { return nil }
        return devices[index].throttle(push.bundleID, under: budget, at: now)
    }

    private mutating func store(
        _ push: SimulatorPush, on index: Int, because cause: DeviceEvent.StorageCause, at now: Timestamp
    ) -> [Action] {
        guard let keptUntil = rules.keptUntil(push.expiration, at: now) else {
            return [event(index, .discarded(.oneAttempt), push)]
        }
        let newcomer = StoredPush(
            push: push, cause: cause, keptUntil: keptUntil, storageEnd: now + DeliveryRules.longestStorage)
        let replaced = replace(with: newcomer, on: index, at: now)
        devices[index].stored.append(newcomer)
        return replaced + [event(index, .stored(cause, until: keptUntil), push)]
    }

    // MARK: - Devices

    mutating func connect(_ index: Int, at now: Timestamp) -> [Action] {
        devices[index].isOnline = true
        return [event(index, .connected)] + release(index, at: now)
    }

    mutating func disconnect(_ index: Int) -> [Action] {
        guard devices[index].isOnline else { return [] }
        devices[index].isOnline = false
        return [event(index, .disconnected)]
    }

    mutating func setPower(_ power: DevicePower, of index: Int, at now: Timestamp) -> [Action] {
        devices[index].power = power
        return [event(index, .powerChanged(power))] + release(index, at: now)
    }

    /// Delivers the waiting pushes of a device; ``DeviceFleet`` calls this method at the time in ``Action/wake(device:at:)``.
    mutating func wake(device index: Int, at now: Timestamp) -> [Action] { release(index, at: now) }

    /// Delivers the waiting pushes that have no cause to wait any longer, oldest first.
    ///
    /// The other pushes stay stored.
    private mutating func release(_ index: Int, at now: Timestamp) -> [Action] {
        guard devices[index].isOnline else { return [] }
        let waiting = devices[index].stored
        devices[index].stored = []
        return waiting.flatMap { release($0, on: index, at: now) }
    }

    private mutating func release(_ stored: StoredPush, on index: Int, at now: Timestamp) -> [Action] {
        guard now < end(of: stored) else { return [event(index, .discarded(.expired), stored.push)] }
        guard devices[index].power.admits(priority: stored.push.priority) else {
            devices[index].stored.append(stored)
            return []
        }
        if let moment = throttleEnd(of: stored.push, on: index, at: now) {
            var held = stored
            held.cause = .throttled
            let replaced = replace(with: held, on: index, at: now)
            devices[index].stored.append(held)
            return replaced + [.wake(device: index, at: moment)]
        }
        return dropThrottled(before: stored.push, on: index, at: now)
            + [.deliver(device: index, stored.push, late: isLate(stored.push, at: now))]
    }

    /// Returns the time from which a stored push is discarded, according to ``DeliveryRules/expiry``.
    private func end(of stored: StoredPush) -> Timestamp {
        rules.expiry == .strict ? stored.keptUntil : stored.storageEnd
    }

    private func isLate(_ push: SimulatorPush, at now: Timestamp) -> Bool {
        if case .at(let moment) = push.expiration { moment <= now } else { false }
    }

    /// Records that a device has received a push, after ``Action/deliver(device:_:late:)``.
    ///
    /// - Parameters:
    ///   - push: the push.
    ///   - index: the device's index in ``devices``.
    ///   - late: whether the time in the push's `apns-expiration` has passed.
    /// - Returns: the actions to perform.
    mutating func delivered(_ push: SimulatorPush, to index: Int, late: Bool) -> [Action] {
        [event(index, .delivered(late: late), push)]
    }

    mutating func event(_ index: Int, _ kind: DeviceEvent.Kind, _ push: SimulatorPush? = nil) -> Action {
        devices[index].count(kind)
        return .record(DeviceEvent(device: devices[index].id, kind: kind, push: push))
    }
}
