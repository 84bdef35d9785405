/// The answer to a registration, and to a change of one.
package struct RegistrationAnswer: Sendable, Hashable, Codable {
    /// The installation's id, as it is known to the service.
    package var device: String
    /// The user it is bound to, if any.
    package var user: String?
    /// `true` while another installation holds the device token: a nonce is on its way by push, and the installation has
    /// no pushes until it returns it.
    ///
    /// Absent means `false`.
    package var awaitsToken: Bool?
    /// What the installation must know to be in step.
    package var sync: SyncAnswer

    private enum CodingKeys: String, CodingKey {
        case device, user, sync
        case awaitsToken = "awaits_token"
    }

    package init(device: String, user: String?, awaitsToken: Bool? = nil, sync: SyncAnswer) {
        self.device = device
        self.user = user
        self.awaitsToken = awaitsToken
        self.sync = sync
    }
}
