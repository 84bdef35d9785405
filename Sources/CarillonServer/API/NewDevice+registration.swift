import CarillonCore

extension NewDevice {
    /// Makes the request to the store from the registration that an installation has sent.
    init(_ registration: Registration, user: String?, app: AppReference, nonce: String) {
        self.init(
            id: registration.installation, secretHash: SecretHash.of(registration.secret), app: app,
            environment: registration.environment, token: registration.token, user: user, facts: registration.facts,
            nonce: nonce)
    }
}
