import CarillonCore

/// What came of ``Store/register(_:at:)``.
package enum RegistrationOutcome: Sendable, Hashable {
    /// The device as it stands now; its user may be one that it was bound to before.
    case registered(DeviceRecord, [TimelineEvent])
    /// The id belongs to an installation with another secret.
    case wrongSecret
}
