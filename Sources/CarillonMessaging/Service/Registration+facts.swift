import CarillonCore

extension Registration {
    /// Everything, for a service that does not know this installation.
    package init(_ facts: RegistrationFacts, _ identity: InstallationIdentity, signInToken: String?) {
        var device = facts.device
        if device.tags?.isEmpty == true { device.tags = nil }
        self.init(
            installation: identity.installation, secret: identity.secret, topic: facts.topic,
            environment: facts.environment, token: facts.token, facts: device, signInToken: signInToken)
    }
}

extension DeviceChange {
    /// What differs from what the service has confirmed.
    ///
    /// The environment belongs to the token: they change together. The step must be one that can be told as a change
    /// (``RegistrationFacts/canChange(_:)``).
    package init(from known: RegistrationFacts, to facts: RegistrationFacts, signInToken: String?) {
        let hasNewToken = facts.token != known.token || facts.environment != known.environment
        self.init(
            token: hasNewToken ? facts.token : nil, environment: hasNewToken ? facts.environment : nil,
            signInToken: signInToken, facts: facts.device.changes(since: known.device) ?? [:])
    }
}
