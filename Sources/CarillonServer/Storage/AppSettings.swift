import CarillonCore

/// What an operator says about an app; what is left out stays as it was.
package struct AppSettings: Sendable, Hashable {
    /// The app's bundle id.
    package var topic: String
    /// Whether installations must come with a sign-in token.
    ///
    /// An app that is new requires none, unless it is said.
    package var requiresSignIn: Bool?
    /// Pushes that go out in a second; 0 for no limit.
    ///
    /// An app that is new has none, unless it is said.
    package var sendsPerSecond: Int?
    /// Credentials to be put in the place of those for the same environment.
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
