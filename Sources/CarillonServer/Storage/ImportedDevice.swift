import CarillonCore

/// A device as another provider knew it: a token, and perhaps whose it is.
package struct ImportedDevice: Sendable, Hashable {
    package var app: AppReference
    package var environment: APNsEnvironment
    package var token: DeviceToken
    /// Whose device the other provider said it was; nobody has proved that.
    package var user: String?
    package var facts: DeviceFacts
    /// The id it gets if it is new; the caller draws it.
    package var id: String
}

/// What became of an ``ImportedDevice``.
package enum ImportOutcome: Sendable, Hashable {
    case added
    /// It had been imported before, with other values.
    case updated
    /// It had been imported before, as it is.
    case unchanged
    /// An installation has the token, and knows better.
    case kept
    case refused(String)
}
