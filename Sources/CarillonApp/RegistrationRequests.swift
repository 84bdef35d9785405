import CarillonCore
import CarillonMessaging

/// The lane of the requests about this installation: its registration, the user's sign-in and sign-out, and the proof that it
/// holds the device token.
///
/// ``RegistrationState`` decides what to send.
@MainActor
final class RegistrationRequests {
    private let calls: ServiceCalls
    let tokens: SignInTokens
    /// Returns the identifiers of the phone's locale and time zone.
    private let region: @Sendable () -> (locale: String, timeZone: String)
    private let notifications: NotificationCenterClient
    /// The facts about this installation as last read; `nil` before iOS has given a device token.
    private var facts: RegistrationFacts?

    private var configuration: Carillon.Configuration { calls.configuration }
    private var store: CarillonStore { calls.store }
    private var clock: any CarillonClock { calls.clock }

    init(
        calls: ServiceCalls, region: @escaping @Sendable () -> (locale: String, timeZone: String),
        notifications: NotificationCenterClient
    ) {
        self.calls = calls
        self.region = region
        self.notifications = notifications
        tokens = SignInTokens(clock: calls.clock, fetch: calls.configuration.signInToken)
    }

    /// The time of the next attempt; `nil` if nothing waits, or if no back-off delays it.
    var nextAttempt: Timestamp? { store.contents.registration.nextAttempt(facts, at: clock.now) }

    /// Sends what has changed since the last registration, one request after another.
    func send() async {
        for _ in 0..<AppLimits.requestsPerRegistration {
            facts = await currentFacts()
            // Read in each round, because a conflict makes a new identity.
            guard let identity = store.identity else { return }
            switch store.contents.registration.next(facts, at: clock.now) {
            case .nothing, .wait: return
            case .signOut:
                guard await sendSignOut(as: identity) else { return }
            case .register(let facts, let withSignInToken):
                // Without a token the app is asked for one, after these requests.
                if withSignInToken, !tokens.hasToken { return }
                guard await send(facts, changing: nil, withSignInToken, as: identity) else { return }
            case .change(let known, let facts, let withSignInToken):
                if withSignInToken, !tokens.hasToken { return }
                guard await send(facts, changing: known, withSignInToken, as: identity) else { return }
            }
            store.save()
        }
    }

    private func currentFacts() async -> RegistrationFacts? {
        guard let deviceToken = calls.deviceToken else { return nil }
        let region = region()
        return RegistrationFacts(
            token: deviceToken, topic: configuration.topic, environment: configuration.environment,
            device: DeviceFacts(
                permission: await notifications.permission(), locale: DeviceFacts.label(region.locale),
                timeZone: DeviceFacts.label(region.timeZone),
                appVersion: configuration.appVersion.map(DeviceFacts.label), tags: store.contents.tags),
            liveActivities: store.contents.liveActivities.tokens(of: calls.liveActivityTypes),
            // Until WidgetKit has answered, the stored tokens may be those of another phone, from a backup.
            widgets: calls.hasReadWidgets
                ? store.contents.widgets.tokens : store.contents.registration.confirmed?.widgets)
    }

    /// Registers the installation, or sends the changes of its facts.
    ///
    /// - Parameters:
    ///   - facts: the current facts about this installation.
    ///   - known: the facts that the service has confirmed, so that only differences are sent; `nil` sends everything.
    ///   - withSignInToken: whether the request needs a sign-in token.
    ///   - identity: the installation's identity.
    /// - Returns: whether the caller should check at once if another request is needed.
    private func send(
        _ facts: RegistrationFacts, changing known: RegistrationFacts?, _ withSignInToken: Bool,
        as identity: InstallationIdentity
    ) async -> Bool {
        let token = withSignInToken ? tokens.take() : nil
        defer { tokens.wasAnswered() }
        let userChangeCount = tokens.userChangeCount
        let isNew = known == nil
        let sequence = takeSequence()
        let failure = await calls.send(isNew ? .register : .change, as: identity) {
            service, identity -> RegistrationAnswer in
            if let known {
                try await service.change(
                    DeviceChange(from: known, to: facts, signInToken: token), sequence, as: identity)
            } else {
                try await service.register(Registration(facts, identity, signInToken: token), sequence, as: identity)
            }
        } record: { answer in
            if let newer = answer.sync.sequence {
                // The phone's clock was set back, or its files are older than the service's: the next request has a greater number.
                store.update { $0.registration.note(sequence: newer) }
                return answer.sync
            }
            // The answer to a request from before a sign-in names the former user.
            let user = userChangeCount == tokens.userChangeCount ? answer.user : nil
            store.update { [now = clock.now] in
                $0.registration.registered(facts, user: user, awaitsToken: answer.awaitsToken == true, at: now)
            }
            if let user = store.contents.registration.user {
                store.updateInbox { [fetchesInbox = configuration.fetchesInbox] inbox in
                    if inbox.assign(to: user), fetchesInbox { inbox.fetch.ask() }
                }
            }
            return answer.sync
        }
        guard let failure else { return true }
        store.update { $0.registration.failed(failure, isRegistering: isNew) }
        return isNew ? failure.isConflict : failure.isUnknownInstallation
    }

    /// Returns the number of the next request, which no later request has, whatever happens to this process.
    private func takeSequence() -> Int64 {
        let sequence = store.contents.registration.nextSequence(at: clock.now)
        store.update { $0.registration.note(sequence: sequence) }
        store.save()
        return sequence
    }

    /// Reports the user's sign-out.
    ///
    /// - Returns: whether the caller should check at once if another request is needed.
    private func sendSignOut(as identity: InstallationIdentity) async -> Bool {
        let sequence = takeSequence()
        let failure = await calls.send(.signOut, as: identity) {
            try await $0.signOut(sequence, as: $1)
        } record: { answer in
            store.update { contents in
                // A request that came before it had a greater number, so it is repeated.
                if let newer = answer.sequence { return contents.registration.note(sequence: newer) }
                contents.registration.signOutConfirmed()
                contents.policy.signOutConfirmed(at: answer.now)
            }
            return answer
        }
        guard let failure else { return true }
        store.update { $0.registration.failed(failure) }
        return failure.isUnknownInstallation
    }

    /// Sends a push's nonce back to the service: this proves that the device token now belongs to this installation.
    func returnNonce(of instructions: PushInstructions) async {
        guard let claim = instructions.claim, let identity = store.identity,
            claim.installation == identity.installation
        else { return }
        let failure = await calls.send(.register, as: identity) {
            try await $0.claimToken(nonce: claim.nonce, as: $1)
        } record: { answer in
            store.update { $0.registration.confirmToken() }
            return answer.sync
        }
        // The next registration asks for another nonce.
        if let failure { store.update { $0.registration.failed(failure, isRegistering: true) } }
    }

    /// Asks the app for a sign-in token, if the next registration needs one.
    ///
    /// - Returns: whether the app has answered, so that the registration can continue.
    @discardableResult
    func fetchSignInToken() async -> Bool {
        let registration = store.contents.registration
        guard registration.needsSignInToken, registration.backoff.mayTry(at: clock.now), !tokens.hasToken,
            !tokens.isInUse, calls.deviceToken != nil, store.identity != nil
        else { return false }
        let question = tokens.ask { [self] answer in
            switch answer {
            case .nobody:
                store.update { $0.registration.nobodyIsSignedIn() }
                store.updateInbox { $0 = InboxState() }
            case .failed(let reason):
                let failure = await calls.failed(AppCodeError(description: reason), .register)
                store.update { $0.registration.failed(failure, isRegistering: true) }
            case .token, .outdated: break
            }
        }
        switch await question.value {
        case .token, .nobody: return true
        case .failed, .outdated: return false
        }
    }
}
