import CarillonCore

/// The outcome of a registration, or of a change to one.
package enum RegistrationOutcome: Sendable, Hashable {
    /// The device as it is now; its user may have been bound before.
    case registered(DeviceRecord, [TimelineEvent])
    /// The id belongs to an installation with another secret.
    case wrongSecret
    /// The id belongs to an installation of another app.
    case otherApp
    /// The device does not exist, or has no rights any more.
    case unknown
}
