import CarillonCore

/// A push that waits for its device.
struct StoredPush: Sendable, Hashable {
    var push: SimulatorPush
    var cause: DeviceEvent.StorageCause
    /// Past this moment it may be discarded; never later than 30 days after it came.
    var keptUntil: Timestamp
    /// Past this moment it is gone even where expired ones are handed over.
    var storageEnd: Timestamp

    /// Whether `other` belongs into the same place, so that one of them has to go.
    func sharesPlace(with other: StoredPush, under policy: DeliveryRules.StoragePolicy) -> Bool {
        guard push.bundleID == other.push.bundleID, push.channelID == other.push.channelID,
            (cause == .throttled) == (other.cause == .throttled)
        else {
            return false
        }
        // A channel keeps its most recent broadcast, whatever is kept beside it.
        return push.channelID != nil || cause == .throttled || policy == .onePerApp
            || push.collapseID == other.push.collapseID
    }
}
