import CarillonCore

/// An app, which owns all else: users, installations, messages, inboxes, keys.
package struct AppRecord: Sendable, Hashable {
    package var reference: AppReference
    /// Whether an installation must come with a sign-in token to be registered.
    package var requiresSignIn: Bool
    /// The credential that signs the app's pushes, for each environment of APNs; without one, its messages wait.
    package var credentials: [APNsEnvironment: CredentialReference]
    /// The greatest number of pushes in a second, over all processes; `nil` for no limit.
    package var sendsPerSecond: Int?
    package var created: Timestamp

    /// The app's bundle id.
    package var topic: String { reference.topic }
}
