import CarillonCore

/// A push that waits for its device.
struct StoredPush: Sendable, Hashable {
    var push: SimulatorPush
    var cause: DeviceEvent.StorageCause
    /// The time until which the push is stored: its `apns-expiration`, but at most 30 days after its arrival.
    ///
    /// Without `apns-expiration`, the push is stored for 30 days. Afterwards, the push is discarded unless
    /// ``DeliveryRules/expiry`` allows late delivery.
    var keptUntil: Timestamp
    /// The time after which the push is discarded in any case: 30 days after its arrival.
    var storageEnd: Timestamp

    /// Returns whether only one of this push and another push can be stored, so that the newer push replaces the older.
    func sharesPlace(with other: StoredPush, under policy: DeliveryRules.StoragePolicy) -> Bool {
        guard push.bundleID == other.push.bundleID, push.channelID == other.push.channelID,
            (cause == .throttled) == (other.cause == .throttled)
        else {
            return false
        }
        // Each Live Activity and each control has a token of its own, and all widgets have one: their pushes replace no others.
        let haveOwnToken = [push.pushType, other.push.pushType].contains {
            [.liveactivity, .widgets, .controls].contains($0)
        }
        guard !haveOwnToken || push.token == other.push.token else { return false }
        // A channel stores its most recent broadcast, independently of other pushes.
        return push.channelID != nil || cause == .throttled || policy == .onePerApp
            || push.collapseID == other.push.collapseID
    }
}
