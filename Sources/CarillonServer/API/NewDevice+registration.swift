import CarillonCore

extension NewDevice {
    /// Creates a device from its registration.
    init(_ registration: Registration, user: String?, app: AppReference, nonce: String) {
        self.init(
            id: registration.installation, secretHash: SecretHash.of(registration.secret), app: app,
            environment: registration.environment, token: registration.token, user: user, facts: registration.facts,
            nonce: nonce)
    }
}
