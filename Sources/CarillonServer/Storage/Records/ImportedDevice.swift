import CarillonCore

/// A device from another provider: a token, and possibly its user.
package struct ImportedDevice: Sendable, Hashable {
    package var app: AppReference
    package var environment: APNsEnvironment
    package var token: DeviceToken
    /// The device's user according to the other provider, without proof.
    package var user: String?
    package var facts: DeviceFacts
    /// The id that the device gets if it is new.
    ///
    /// The caller chooses this id at random.
    package var id: String
}

/// The outcome of importing an ``ImportedDevice``.
package enum ImportOutcome: Sendable, Hashable {
    case added
    /// The device was imported before with other values, and was updated.
    case updated
    /// The device was imported before with equal values, and was not changed.
    case unchanged
    /// An installation has registered the device's token, so the installation's own facts were kept.
    case kept
    case refused(String)
}
