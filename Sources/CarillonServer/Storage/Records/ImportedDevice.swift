import CarillonCore

/// A device to import from another provider: its token, and possibly its user.
package struct ImportedDevice: Sendable, Hashable {
    package var app: AppReference
    package var environment: APNsEnvironment
    package var token: DeviceToken
    /// The device's user, as the other provider names the user; no sign-in token proves it.
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
    /// The token belongs to an installation that has registered itself, so the import has changed nothing.
    case kept
    case refused(String)
}
