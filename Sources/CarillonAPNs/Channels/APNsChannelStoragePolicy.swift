/// `message-storage-policy`: whether APNs keeps a channel's latest broadcast for devices that are offline.
public enum APNsChannelStoragePolicy: Int, Sendable, Hashable, CaseIterable {
    /// Nothing is kept; every broadcast must have the expiration 0.
    case noMessageStored = 0
    /// The most recent broadcast is kept until its expiration.
    case mostRecentMessageStored = 1
}
