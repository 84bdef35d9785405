import CarillonCore

/// A push that waits for its device.
struct StoredPush: Sendable, Hashable {
    var push: SimulatorPush
    var cause: DeviceEvent.StorageCause
    /// The time after which the push may be discarded, at most 30 days after its arrival.
    var keptUntil: Timestamp
    /// The time after which the push is removed, even if ``DeliveryRules/expiry`` lets the simulator deliver expired pushes.
    var storageEnd: Timestamp

    /// Returns whether this push and another one compete for one storage place, so that only one of them can be stored.
    func sharesPlace(with other: StoredPush, under policy: DeliveryRules.StoragePolicy) -> Bool {
        guard push.bundleID == other.push.bundleID, push.channelID == other.push.channelID,
            (cause == .throttled) == (other.cause == .throttled)
        else {
            return false
        }
        // A channel stores its most recent broadcast, independently of other pushes.
        return push.channelID != nil || cause == .throttled || policy == .onePerApp
            || push.collapseID == other.push.collapseID
    }
}
