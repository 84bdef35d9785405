/// `message-storage-policy`: whether APNs keeps a channel's latest broadcast for devices that are offline.
public enum APNsChannelStoragePolicy: Int, Sendable, Hashable, CaseIterable {
    /// APNs keeps no broadcast.
    ///
    /// Every broadcast to a channel with this policy must have the expiration 0.
    case noMessageStored = 0
    /// APNs keeps the most recent broadcast until it expires.
    case mostRecentMessageStored = 1
}
