import CarillonCore

/// An app, to which everything else belongs: users, installations, messages, inboxes, keys.
package struct AppRecord: Sendable, Hashable {
    package var reference: AppReference
    /// Whether an installation must come with a sign-in token to be registered.
    package var requiresSignIn: Bool
    /// With what the app's pushes are signed, for each environment of APNs; where there is nothing, its messages wait.
    package var credentials: [APNsEnvironment: CredentialReference]
    /// Pushes that go out in a second, whichever process sends them; `nil` for no limit.
    package var sendsPerSecond: Int?
    package var created: Timestamp

    /// The app's bundle id.
    package var topic: String { reference.topic }
}
