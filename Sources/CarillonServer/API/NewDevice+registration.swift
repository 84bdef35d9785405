import CarillonCore

extension NewDevice {
    /// Creates the store's input for a new installation from the registration that the installation has sent.
    init(_ registration: Registration, user: String?, app: AppReference, nonce: String, sequence: Int64?) {
        self.init(
            id: registration.installation, secretHash: SecretHash.of(registration.secret), app: app,
            environment: registration.environment, token: registration.token, user: user, facts: registration.facts,
            liveActivities: registration.liveActivities ?? [], widgets: registration.widgets ?? [], nonce: nonce,
            sequence: sequence)
    }
}
