import CarillonCore

/// Decides when to talk to the service about who and where this installation is.
///
/// The app registers with iOS at every launch; the service hears of it only when something has changed.
package struct RegistrationState: Sendable, Hashable, Codable {
    package enum Action: Sendable, Hashable {
        case nothing
        /// `POST /v1/devices`; with a sign-in token, if the app has one.
        case register(RegistrationFacts, withSignInToken: Bool)
        /// `PATCH /v1/devices/{id}`: only what differs from what the service has confirmed.
        case change(from: RegistrationFacts, to: RegistrationFacts, withSignInToken: Bool)
        /// `DELETE /v1/devices/{id}/user`
        case signOut
        /// Too early after a failure: try at this moment of the phone's clock.
        case wait(until: Timestamp)
    }

    /// The facts that the service has confirmed.
    package private(set) var confirmed: RegistrationFacts?
    /// The user to whom the service has bound this installation.
    package private(set) var user: String?
    /// Whether somebody is, or should be, signed in.
    package private(set) var wantsUser = false
    /// Whether nothing has said yet whether somebody is signed in: backups leave the files out in which that is kept.
    private var asksWhoIsSignedIn = true
    /// The person has signed out, and the service has not confirmed it.
    package private(set) var isSignOutPending = false
    package var backoff = RetryState()
    /// Whether another installation holds the device token, until this one returns the nonce that is pushed to it.
    private var awaitsToken = false

    package init() {}

    /// Decides what to do next, given the facts as they are now; they are `nil` while iOS has given no token.
    package func next(_ facts: RegistrationFacts?, at phoneNow: Timestamp) -> Action {
        let action = wanted(facts)
        guard action != .nothing, !backoff.mayTry(at: phoneNow), let notBefore = backoff.notBefore else {
            return action
        }
        return .wait(until: notBefore)
    }

    private func wanted(_ facts: RegistrationFacts?) -> Action {
        if isSignOutPending {
            // A service that does not know the installation is told of it first: it may have kept the user.
            guard confirmed == nil else { return .signOut }
            return facts.map { .register($0, withSignInToken: false) } ?? .nothing
        }
        guard let facts else { return .nothing }
        let needsUser = needsUser
        // The push with the nonce may have been lost: registering again asks for another.
        if awaitsToken { return .register(facts, withSignInToken: needsUser) }
        guard facts != confirmed || needsUser else { return .nothing }
        guard let confirmed, facts.canChange(confirmed) else { return .register(facts, withSignInToken: needsUser) }
        return .change(from: confirmed, to: facts, withSignInToken: needsUser)
    }

    /// Whether the next registration needs a sign-in token.
    package var needsSignInToken: Bool { needsUser && !isSignOutPending }

    /// Whether it is to be asked who is signed in: a fresh installation, of a phone that was restored, does not know.
    private var needsUser: Bool { user == nil && (wantsUser || asksWhoIsSignedIn) }

    /// Somebody has signed in, or may have changed: the next registration carries a sign-in token.
    package mutating func signedIn() {
        wantsUser = true
        user = nil
        backoff.succeeded()
    }

    /// The app had no sign-in token to give.
    package mutating func nobodyIsSignedIn() {
        wantsUser = false
        asksWhoIsSignedIn = false
    }

    /// Takes effect on this phone at once, whether or not the service can be reached.
    package mutating func signedOut() {
        // A registration with a sign-in token may have reached the service without its answer reaching this phone.
        if confirmed != nil || wantsUser { isSignOutPending = true }
        wantsUser = false
        asksWhoIsSignedIn = false
        user = nil
        backoff.succeeded()
    }

    /// The service has confirmed the facts.
    ///
    /// - Parameters:
    ///   - facts: as they were told.
    ///   - user: to whom the service has bound this installation.
    ///   - awaitsToken: whether the token is another installation's until the nonce is returned.
    ///   - phoneNow: the phone's clock.
    package mutating func registered(
        _ facts: RegistrationFacts, user: String?, awaitsToken: Bool = false, at phoneNow: Timestamp
    ) {
        confirmed = facts
        // While a sign-out waits, the service still names the former user.
        if !isSignOutPending {
            if user != nil, asksWhoIsSignedIn { wantsUser = true }
            if wantsUser { self.user = user }
        }
        if self.user != nil { asksWhoIsSignedIn = false }
        self.awaitsToken = awaitsToken
        if awaitsToken { backoff.failed(at: phoneNow) } else { backoff.succeeded() }
    }

    /// The service has got the nonce back: pushes to the token are for this installation.
    package mutating func holdsToken() {
        awaitsToken = false
        backoff.succeeded()
    }

    package mutating func signOutConfirmed() {
        isSignOutPending = false
        backoff.succeeded()
    }

    /// Whether another phone registers as this installation, which a backup has brought there: the one that did so last gets
    /// the pushes, and the other must become an installation of its own.
    ///
    /// - Parameters:
    ///   - serviceToken: the end of the device token to which the service sends, if it says so.
    ///   - deviceToken: this phone's; `nil` while iOS has given none.
    /// - Returns: `false` while the service may not have heard of this phone's newest token.
    package func isShared(serviceToken: String?, deviceToken: DeviceToken?) -> Bool {
        guard let serviceToken, let deviceToken, confirmed?.token == deviceToken, !awaitsToken else {
            return false
        }
        return serviceToken != deviceToken.end
    }

    /// The service does not know this installation (any more): register again, as if for the first time.
    ///
    /// A sign-out that waits goes on waiting: the registration may find the user there again.
    package mutating func wasForgotten() {
        confirmed = nil
        user = nil
        awaitsToken = false
        backoff.succeeded()
    }
}

/// The facts that the service must know about this installation: everything of a ``Registration`` but the secrets.
package struct RegistrationFacts: Sendable, Hashable, Codable {
    /// Where pushes go, as iOS has given it.
    package var token: DeviceToken
    /// The app's bundle id.
    package var topic: String
    /// Where APNs knows the token.
    package var environment: APNsEnvironment
    /// The facts about the device.
    package var device: DeviceFacts

    package init(token: DeviceToken, topic: String, environment: APNsEnvironment, device: DeviceFacts) {
        self.token = token
        self.topic = topic
        self.environment = environment
        self.device = device
    }

    /// Whether the step from `known` can be told as a change.
    ///
    /// An app has one topic for life, and what is absent from a change stays as it was.
    func canChange(_ known: RegistrationFacts) -> Bool {
        topic == known.topic && device.changes(since: known.device) != nil
    }
}

extension Registration {
    /// Everything, for a service that does not know this installation.
    package init(_ facts: RegistrationFacts, _ identity: InstallationIdentity, signInToken: String?) {
        self.init(
            installation: identity.installation, secret: identity.secret, topic: facts.topic,
            environment: facts.environment, token: facts.token, facts: facts.device, signInToken: signInToken)
    }
}

extension DeviceChange {
    /// Makes the difference to the facts that the service has confirmed.
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
