import CarillonCore

/// An operator's settings of an app; a setting that is left out stays as it was.
package struct AppSettings: Sendable, Hashable {
    /// The app's bundle id.
    package var topic: String
    /// Whether installations must come with a sign-in token.
    ///
    /// The default for a new app is that they need none.
    package var requiresSignIn: Bool?
    /// The greatest number of pushes in a second; 0 for no limit.
    ///
    /// The default for a new app is no limit.
    package var sendsPerSecond: Int?
    /// The credentials that replace those of their environments.
    package var credentials: [APNsEnvironment: CredentialReference]

    package init(
        topic: String, requiresSignIn: Bool? = nil, sendsPerSecond: Int? = nil,
        credentials: [APNsEnvironment: CredentialReference] = [:]
    ) {
        self.topic = topic
        self.requiresSignIn = requiresSignIn
        self.sendsPerSecond = sendsPerSecond
        self.credentials = credentials
    }
}
