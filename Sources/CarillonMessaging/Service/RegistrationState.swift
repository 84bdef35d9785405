import CarillonCore

/// The state that decides when to send this installation's facts and its user to the service.
///
/// The app registers with iOS at every launch, but sends the service only changes.
package struct RegistrationState: Sendable, Hashable, Codable {
    package enum Action: Sendable, Hashable {
        case nothing
        /// Registers the installation with `POST /v1/devices`, and with a sign-in token if the app has one.
        case register(RegistrationFacts, withSignInToken: Bool)
        /// Sends only the differences from the confirmed facts, with `PATCH /v1/devices/{id}`.
        case change(from: RegistrationFacts, to: RegistrationFacts, withSignInToken: Bool)
        /// Unbinds the installation from its user, with `DELETE /v1/devices/{id}/user`.
        case signOut
        /// Waits, because a request has failed recently; the next attempt is due at this time of the phone's clock.
        case wait(until: Timestamp)
    }

    /// The facts about this installation that the service has confirmed; `nil` before its registration.
    package private(set) var confirmed: RegistrationFacts?
    /// The user to whom the service has bound this installation; `nil` if it is bound to nobody.
    package private(set) var user: String?
    /// Whether a user is signed in or is about to be.
    package private(set) var wantsUser = false
    /// Whether the SDK must still ask the app if a user is signed in.
    ///
    /// Backups leave out the file with the answer, so a restored phone asks again.
    private var asksWhoIsSignedIn = true
    /// Whether the person has signed out and the service has not confirmed it.
    package private(set) var isSignOutPending = false
    package var backoff = RetryState()
    /// The number of the newest request that registers, changes or signs out this installation; 0 before the first.
    package private(set) var sequence: Int64 = 0
    /// Whether this installation must still prove that it holds the device token, which another installation has also registered.
    ///
    /// The proof is to return the nonce that the service has pushed to the token.
    private var awaitsToken = false

    package init() {}

    /// Returns the next request to the service, or the wait before it.
    ///
    /// - Parameters:
    ///   - facts: the current facts about this installation; `nil` before iOS has given a device token.
    ///   - phoneNow: the phone's time.
    /// - Returns: the request to send now, a wait after a failure, or nothing.
    package func next(_ facts: RegistrationFacts?, at phoneNow: Timestamp) -> Action {
        let action = wanted(facts)
        guard action != .nothing, let end = backoff.end(at: phoneNow) else { return action }
        return .wait(until: end)
    }

    /// Returns the time of the next attempt, which is the end of the back-off.
    ///
    /// - Returns: a later time than `phoneNow`; `nil` if nothing waits, or if no back-off delays it.
    package func nextAttempt(_ facts: RegistrationFacts?, at phoneNow: Timestamp) -> Timestamp? {
        if case .wait(let end) = next(facts, at: phoneNow) { end } else { nil }
    }

    private func wanted(_ facts: RegistrationFacts?) -> Action {
        if isSignOutPending {
            // An installation that the service does not know must register before the sign-out: it may still be bound to the
            // user.
            guard confirmed == nil else { return .signOut }
            return facts.map { .register($0, withSignInToken: false) } ?? .nothing
        }
        guard let facts else { return .nothing }
        let needsUser = needsUser
        // The push with the nonce may have been lost: registering again requests a new one.
        if awaitsToken { return .register(facts, withSignInToken: needsUser) }
        guard facts != confirmed || needsUser else { return .nothing }
        guard let confirmed, facts.canChange(confirmed) else { return .register(facts, withSignInToken: needsUser) }
        return .change(from: confirmed, to: facts, withSignInToken: needsUser)
    }

    /// Whether the next registration needs a sign-in token.
    package var needsSignInToken: Bool { needsUser && !isSignOutPending }

    /// Whether to ask the app who is signed in; the SDK of a fresh installation, for example on a restored phone, does not know
    /// it.
    private var needsUser: Bool { user == nil && (wantsUser || asksWhoIsSignedIn) }

    /// Records that a user has signed in, or that the user may have changed: the next registration carries a sign-in token.
    package mutating func signedIn() {
        wantsUser = true
        user = nil
        backoff.succeeded()
    }

    /// Records that the app had no sign-in token.
    package mutating func nobodyIsSignedIn() {
        wantsUser = false
        asksWhoIsSignedIn = false
    }

    /// Signs the user out on this phone at once, even if the service cannot be reached.
    package mutating func signedOut() {
        // A registration with a sign-in token may have reached the service even if its answer did not reach this phone.
        if confirmed != nil || wantsUser { isSignOutPending = true }
        wantsUser = false
        asksWhoIsSignedIn = false
        user = nil
        backoff.succeeded()
    }

    /// Returns the number of a request that is sent now: greater than all before, also than those after which a backup was made.
    package func nextSequence(at phoneNow: Timestamp) -> Int64 {
        min(max(sequence + 1, phoneNow.millisecondsSince1970), SyncAnswer.greatestSequence)
    }

    /// Records the number of a request that is sent, or that the service has got.
    package mutating func note(sequence: Int64) {
        self.sequence = min(max(self.sequence, sequence), SyncAnswer.greatestSequence)
    }

    /// Records that the service has confirmed the facts about this installation.
    ///
    /// - Parameters:
    ///   - facts: the confirmed facts.
    ///   - user: the user to whom the service has bound this installation; `nil` if there is none.
    ///   - awaitsToken: whether this installation must still prove that it holds the device token, which another installation has
    ///     also registered. For the proof, the service pushes a nonce to the token, and this installation returns the nonce. The
    ///     default is `false`.
    ///   - phoneNow: the phone's time.
    package mutating func registered(
        _ facts: RegistrationFacts, user: String?, awaitsToken: Bool = false, at phoneNow: Timestamp
    ) {
        confirmed = facts
        // While a sign-out is pending, the service still names the former user.
        if !isSignOutPending {
            if user != nil, asksWhoIsSignedIn { wantsUser = true }
            if wantsUser { self.user = user }
        }
        if self.user != nil { asksWhoIsSignedIn = false }
        self.awaitsToken = awaitsToken
        if awaitsToken { backoff.failed(at: phoneNow) } else { backoff.succeeded() }
    }

    /// Records that the service may have other widget tokens than it has confirmed, so that the next request names them again.
    package mutating func widgetsMayDiffer() {
        // An app without tokens has `nil` there, so no facts are equal to this.
        confirmed?.widgets = []
    }

    /// Records that the service has accepted the proof that this installation holds the device token.
    ///
    /// For the proof, the service pushed a nonce to the token, and this installation returned the nonce.
    package mutating func confirmToken() {
        awaitsToken = false
        backoff.succeeded()
    }

    package mutating func signOutConfirmed() {
        isSignOutPending = false
        backoff.succeeded()
    }

    /// Records what the failure of a request of any kind says about this installation.
    ///
    /// - Parameters:
    ///   - failure: the failure.
    ///   - isRegistering: whether the request was one that needs no known installation.
    package mutating func heard(_ failure: RequestFailure, isRegistering: Bool) {
        if failure.isUnknownInstallation, !isRegistering { forget() }
        // The service knows no user of this installation, so there is nobody left to sign out.
        if failure.requiresSignIn { signOutConfirmed() }
    }

    /// Records that a request about this installation has failed.
    ///
    /// After some failures another request follows at once: a registration if the service does not know the installation, or one
    /// with a new identity if the id is in use.
    package mutating func failed(_ failure: RequestFailure, isRegistering: Bool = false) {
        if isRegistering ? !failure.isConflict : !failure.isUnknownInstallation { backoff.failed(failure) }
    }

    /// Returns whether another phone uses this installation's id, because a backup has copied the files there.
    ///
    /// The service pushes to the phone that registered last; the other phone must become a new installation.
    ///
    /// - Parameters:
    ///   - serviceToken: the end of the device token to which the service sends, if the answer contains it.
    ///   - deviceToken: this phone's token; `nil` until iOS has given one.
    /// - Returns: `true` if the tokens differ; `false` while the service may not have received this phone's newest token.
    package func isShared(serviceToken: String?, deviceToken: DeviceToken?) -> Bool {
        guard let serviceToken, let deviceToken, confirmed?.token == deviceToken, !awaitsToken else {
            return false
        }
        return serviceToken != deviceToken.end
    }

    /// Prepares a new registration, because the service does not know this installation.
    ///
    /// A pending sign-out stays pending, and is sent after the new registration.
    package mutating func forget() {
        confirmed = nil
        user = nil
        awaitsToken = false
        backoff.succeeded()
    }
}

/// The facts that the service must know about this installation: a ``Registration`` without its secrets.
package struct RegistrationFacts: Sendable, Hashable, Codable {
    /// The device token to which pushes are sent.
    package var token: DeviceToken
    /// The app's bundle id.
    package var topic: String
    /// The APNs environment of the token.
    package var environment: APNsEnvironment
    /// The facts about the device.
    package var device: DeviceFacts
    /// The tokens for Live Activities; `nil` if there are none.
    package var liveActivities: [LiveActivityToken]?
    /// The tokens for widgets and controls; `nil` if there are none.
    package var widgets: [WidgetToken]?

    package init(
        token: DeviceToken, topic: String, environment: APNsEnvironment, device: DeviceFacts,
        liveActivities: [LiveActivityToken]? = nil, widgets: [WidgetToken]? = nil
    ) {
        self.token = token
        self.topic = topic
        self.environment = environment
        self.device = device
        self.liveActivities = liveActivities
        self.widgets = widgets
    }

    /// Returns whether the differences from `known` can be sent as a ``DeviceChange``.
    ///
    /// Returns `false` if the topic differs, or if a known fact is now missing: a `PATCH` request sets facts but does not remove
    /// them.
    func canChange(_ known: RegistrationFacts) -> Bool {
        topic == known.topic && device.changes(since: known.device) != nil
    }
}

extension Registration {
    /// Creates the body of `POST /v1/devices`, which registers an installation that the service does not know.
    package init(_ facts: RegistrationFacts, _ identity: InstallationIdentity, signInToken: String?) {
        self.init(
            installation: identity.installation, secret: identity.secret, topic: facts.topic,
            environment: facts.environment, token: facts.token, facts: facts.device, signInToken: signInToken,
            liveActivities: facts.liveActivities, widgets: facts.widgets)
    }
}

extension DeviceChange {
    /// Creates the body of `PATCH /v1/devices/{id}`: the differences between the confirmed facts `known` and the current facts.
    ///
    /// Environment and token change together. The facts must satisfy ``RegistrationFacts/canChange(_:)``.
    package init(from known: RegistrationFacts, to facts: RegistrationFacts, signInToken: String?) {
        let hasNewToken = facts.token != known.token || facts.environment != known.environment
        self.init(
            token: hasNewToken ? facts.token : nil, environment: hasNewToken ? facts.environment : nil,
            signInToken: signInToken,
            liveActivities: facts.liveActivities == known.liveActivities ? nil : facts.liveActivities ?? [],
            widgets: facts.widgets == known.widgets ? nil : facts.widgets ?? [],
            facts: facts.device.changes(since: known.device) ?? [:])
    }
}
