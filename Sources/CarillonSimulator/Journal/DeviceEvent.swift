import CarillonCore

/// An event of a device, or of a push for it.
public struct DeviceEvent: Sendable, Hashable {
    /// The kinds of events.
    public enum Kind: Sendable, Hashable {
        /// An app on the device got a device token.
        case tokenIssued(bundleID: String)
        /// The token of an app on the device has ended.
        ///
        /// Requests for the token are rejected with `reason`.
        case tokenInvalidated(bundleID: String, reason: RejectionReason)
        /// The device is online.
        case connected
        /// The device is offline.
        case disconnected
        /// The device's power state has changed.
        case powerChanged(DevicePower)
        /// The app on the device follows these broadcast channels from now on, and no others.
        case followed(bundleID: String, channels: [String])
        /// The push is stored for this cause, at most until this time.
        case stored(StorageCause, until: Timestamp)
        /// The push was delivered.
        ///
        /// `late` is true if the push's `apns-expiration` had passed.
        case delivered(late: Bool)
        /// The push will never be delivered.
        case discarded(DiscardCause)
    }

    /// The cause of a push's wait.
    public enum StorageCause: String, Sendable, Hashable, Codable {
        /// The device is offline.
        case offline
        /// The device's power state does not admit the push's priority.
        case power
        /// The app has used up ``DeliveryRules/backgroundBudget`` on this device.
        case throttled
    }

    /// The cause for discarding a push.
    public enum DiscardCause: String, Sendable, Hashable, Codable {
        /// A newer push replaced the stored push.
        case replaced
        /// The push expired before or after its arrival: by `apns-expiration`, or after the longest storage of 30 days.
        case expired
        /// `apns-expiration` was 0, and the device could not be reached at once.
        case oneAttempt = "one-attempt"
        /// The token or the broadcast channel of the push is no longer valid.
        case unregistered
    }

    /// The device's id.
    public let device: String
    /// The kind of this event.
    public let kind: Kind
    /// The push that the event is about; `nil` for other events.
    public let push: SimulatorPush?
}
