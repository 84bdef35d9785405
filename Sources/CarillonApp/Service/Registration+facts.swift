import CarillonCore

extension Registration {
    /// Everything, for a service that does not know this installation.
    init(_ facts: RegistrationFacts, _ identity: InstallationIdentity, signInToken: String?) {
        self.init(
            installation: identity.installation, secret: identity.secret, topic: facts.topic,
            environment: facts.environment, token: facts.token, permission: facts.permission, signInToken: signInToken,
            locale: facts.locale, timeZone: facts.timeZone, appVersion: facts.appVersion,
            tags: facts.tags.isEmpty ? nil : facts.tags)
    }
}

extension DeviceChange {
    /// What differs. The environment belongs to the token: they change together.
    init(from known: RegistrationFacts, to facts: RegistrationFacts, signInToken: String?) {
        let hasNewToken = facts.token != known.token || facts.environment != known.environment
        self.init(
            token: hasNewToken ? facts.token : nil, environment: hasNewToken ? facts.environment : nil,
            permission: facts.permission == known.permission ? nil : facts.permission, signInToken: signInToken,
            locale: facts.locale == known.locale ? nil : facts.locale,
            timeZone: facts.timeZone == known.timeZone ? nil : facts.timeZone,
            appVersion: facts.appVersion == known.appVersion ? nil : facts.appVersion,
            tags: facts.tags == known.tags ? nil : facts.tags)
    }
}
