import CarillonCore

/// What became of a push, or of a device.
public struct DeviceEvent: Sendable, Hashable {
    /// What happened.
    public enum Kind: Sendable, Hashable {
        case tokenIssued(bundleID: String)
        case tokenInvalidated(bundleID: String, reason: RejectionReason)
        case connected
        case disconnected
        case powerChanged(DevicePower)
        /// The app on it follows these broadcast channels from now on, and no others.
        case followed(bundleID: String, channels: [String])
        /// It waits, at most until the given moment.
        case stored(StorageCause, until: Timestamp)
        /// It was handed to the device; `late` says that its expiration had passed.
        case delivered(late: Bool)
        case discarded(DiscardCause)
    }

    /// Why a push waits.
    public enum StorageCause: String, Sendable, Hashable, Codable {
        case offline
        case power
        case throttled
    }

    /// Why a push was never handed over.
    public enum DiscardCause: String, Sendable, Hashable, Codable {
        /// A newer one took its place in the store.
        case replaced
        /// `apns-expiration`, or the 30 days, passed while it waited, or before it came.
        case expired
        /// `apns-expiration` was 0 and the device could not take it there and then.
        case oneAttempt = "one-attempt"
        /// The app is no longer on the device, or the channel no longer exists.
        case unregistered
    }

    public let device: String
    public let kind: Kind
    /// The push that it happened to, if any.
    public let push: SimulatorPush?
}
