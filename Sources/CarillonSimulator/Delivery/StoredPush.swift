import CarillonCore

/// A push that waits for its device.
struct StoredPush: Sendable, Hashable {
    var push: SimulatorPush
    var cause: DeviceEvent.StorageCause
    /// The time after which it may be discarded; never later than 30 days after it came.
    var keptUntil: Timestamp
    /// The time after which it is removed even if expired pushes are handed over.
    var storageEnd: Timestamp

    /// Returns whether `other` belongs in the same place, so that one of the two has to go.
    func sharesPlace(with other: StoredPush, under policy: DeliveryRules.StoragePolicy) -> Bool {
        guard push.bundleID == other.push.bundleID, push.channelID == other.push.channelID,
            (cause == .throttled) == (other.cause == .throttled)
        else {
            return false
        }
        // A channel keeps its most recent broadcast, independently of other pushes.
        return push.channelID != nil || cause == .throttled || policy == .onePerApp
            || push.collapseID == other.push.collapseID
    }
}
