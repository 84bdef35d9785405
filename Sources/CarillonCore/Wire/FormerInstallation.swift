/// An installation whose device token another takes over, named by somebody who knows its secret.
package struct FormerInstallation: Sendable, Hashable, Codable {
    /// Its id.
    package var installation: String
    /// Its secret, as it was registered.
    package var secret: String

    package init(installation: String, secret: String) {
        self.installation = installation
        self.secret = secret
    }
}
