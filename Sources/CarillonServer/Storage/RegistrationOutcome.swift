import CarillonCore

/// What came of a registration, or of a change to one.
package enum RegistrationOutcome: Sendable, Hashable {
    /// The device as it stands now; its user may be one that it was bound to before.
    case registered(DeviceRecord, [TimelineEvent])
    /// The id belongs to an installation with another secret.
    case wrongSecret
    /// The id belongs to an installation of another app.
    case otherApp
    /// There is no such device, or it has no rights any more.
    case unknown
}
