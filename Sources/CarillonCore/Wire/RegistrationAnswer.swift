/// The answer to a registration, and to a change of one.
package struct RegistrationAnswer: Sendable, Hashable, Codable {
    /// The installation's id, as it is known to the service.
    package var device: String
    /// The user it is bound to, if any.
    package var user: String?
    /// What the installation must know to be in step.
    package var sync: SyncAnswer

    package init(device: String, user: String?, sync: SyncAnswer) {
        self.device = device
        self.user = user
        self.sync = sync
    }
}
