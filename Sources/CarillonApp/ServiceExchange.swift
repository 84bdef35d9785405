import CarillonCore
import CarillonMessaging
import Foundation
import UserNotifications  // For its own `Task` initializers on a simulated phone, which track running work.

/// The queue of requests to the service: sends them in the order of the calls, and schedules retries.
@MainActor
final class ServiceExchange {
    let configuration: Carillon.Configuration
    let clock: any CarillonClock
    /// Returns the identifiers of the phone's locale and time zone.
    private let region: @Sendable () -> (locale: String, timeZone: String)
    let store: CarillonStore
    let service: ServiceClient
    private let notifications: NotificationCenterClient
    private let messages: MessageCenter
    let tokens: SignInTokens
    private let background: BackgroundTime
    private let queue = SerialQueue()
    private var retry: ScheduledAction?
    /// Whether to fetch the inbox after the running requests, because a user has signed in since the last fetch.
    var isInboxDue = false
    /// Whether this process has already taken a new identity because another phone uses this installation's identity too.
    private var hasLeftCopy = false
    /// The device token as iOS gave it; `nil` before iOS gives one.
    var deviceToken: DeviceToken?
    /// Called when the service has answered.
    var onAnswer: @MainActor () -> Void = {}
    /// Called when the back-off after a failed request has ended; the app should then exchange everything with the service again.
    var onRetry: @MainActor () -> Void = {}

    init(
        _ configuration: Carillon.Configuration, store: CarillonStore, clock: any CarillonClock,
        region: @escaping @Sendable () -> (locale: String, timeZone: String),
        service: ServiceClient, notifications: NotificationCenterClient, messages: MessageCenter,
        background: BackgroundTime
    ) {
        self.configuration = configuration
        self.store = store
        self.clock = clock
        self.region = region
        self.service = service
        self.notifications = notifications
        self.messages = messages
        self.background = background
        tokens = SignInTokens(clock: clock, fetch: configuration.signInToken)
    }

    // MARK: In the order of the calls

    /// Sends changes of this installation, or its user's sign-out, to the service.
    func register() async {
        await background.run("registration") {
            await fetchSignInToken()
            await run { [self] in await sendRegistration() }
        }
    }

    /// Sends all changes, receipts and reports of read messages that the service does not have yet, and fetches removals, badge
    /// and inbox.
    func reconcile() async {
        await background.run("reconciliation") {
            await fetchSignInToken()
            await run { [self] in
                await sendRegistration()
                await synchronise()
                _ = await sendReceipts()
                await sendReads()
                await fetchMessages()
            }
        }
    }

    /// Sends what waits for the service after a push or a person's response: registration, receipts and reports of read messages.
    ///
    /// Also sends a nonce from the push back to the service, as proof that this installation holds the device token. Then
    /// fetches the removals that did not fit into the push.
    ///
    /// - Parameters:
    ///   - instructions: the push's instructions; the default is none, as after the person's response.
    ///   - fetchesInbox: whether to fetch the inbox too; the default is `false`.
    /// - Returns: `false` if a receipt is left to send, or if the push asked for a fetch of removals that failed; otherwise
    ///   `true`.
    @discardableResult
    func exchange(
        after instructions: PushInstructions = PushInstructions(dialect: .carillon), fetchesInbox: Bool = false
    ) async -> Bool {
        await background.run("receipts and reads") {
            await run { [self] in
                // iOS may end the app while it waits for an answer.
                await store.savedWhatMatters()
                await returnNonce(of: instructions)
                await sendRegistration()
                let isSynchronised = instructions.needsSync ? await synchronise() : true
                await sendReads()
                let isDone = await sendReceipts() && isSynchronised
                if fetchesInbox { await fetchMessages() }
                return isDone
            }
        }
    }

    /// Fetches the inbox, after all requests that were made before.
    ///
    /// - Returns: whether the service has answered; `true` if there is nothing to fetch.
    func fetchInbox() async -> Bool { await run { [self] in await fetchMessages() } }

    /// Discards sign-in tokens of the previous user, after a sign-in or a sign-out.
    func userChanged() { tokens.forget() }

    /// Runs `requests` after all earlier requests, and returns their result.
    ///
    /// After `requests`, if the registration still needs a sign-in token, asks the app for a token and sends the registration.
    /// If this binds the installation to another user, the inbox is fetched too.
    private func run<Value: Sendable>(_ requests: @escaping @MainActor () async -> Value) async -> Value {
        let value = await queue.run(requests)
        for _ in 0..<AppLimits.requestsPerRegistration {
            guard await fetchSignInToken() else { break }
            await queue.run { [self] in await sendRegistration() }
        }
        if isInboxDue { await queue.run { [self] in _ = await fetchMessages() } }
        return value
    }

    /// Asks the app for a sign-in token, if the next registration needs one.
    ///
    /// - Returns: whether the app has answered, so that the registration can continue.
    @discardableResult
    private func fetchSignInToken() async -> Bool {
        let registration = store.contents.registration
        guard registration.needsSignInToken, registration.backoff.mayTry(at: clock.now), !tokens.hasToken,
            !tokens.isInUse,
            deviceToken != nil, store.identity != nil
        else { return false }
        let question = tokens.ask { [self] answer in
            switch answer {
            case .nobody:
                store.update { $0.registration.nobodyIsSignedIn() }
                store.updateInbox { $0 = InboxState() }
            case .failed(let reason): await failed(AppCodeError(description: reason), .register)
            case .token, .outdated: break
            }
        }
        switch await question.value {
        case .token, .nobody: return true
        case .failed, .outdated: return false
        }
    }

    /// Ends the back-off of unanswered requests.
    ///
    /// Called when a push arrives or the app enters the foreground, because both suggest that the network is back.
    func networkMayBeBack() {
        store.update { contents in
            contents.registration.backoff.networkMayBeBack()
            contents.policy.receipts.backoff.networkMayBeBack()
        }
        store.updateInbox { $0.backoff.networkMayBeBack() }
    }

    // MARK: This installation

    private func sendRegistration() async {
        for _ in 0..<AppLimits.requestsPerRegistration {
            let facts = await currentFacts()
            // Read in each round, because a conflict makes a new identity.
            guard let identity = store.identity else { return }
            let action = store.contents.registration.next(facts, at: clock.now)
            switch action {
            case .nothing: return
            case .wait: return scheduleRetry()
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
        guard let deviceToken else { return nil }
        let region = region()
        return RegistrationFacts(
            token: deviceToken, topic: configuration.topic, environment: configuration.environment,
            device: DeviceFacts(
                permission: await notifications.permission(), locale: DeviceFacts.label(region.locale),
                timeZone: DeviceFacts.label(region.timeZone),
                appVersion: configuration.appVersion.map(DeviceFacts.label), tags: store.contents.tags))
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
        do {
            let token = withSignInToken ? tokens.take() : nil
            defer { tokens.wasAnswered() }
            let requestedAt = clock.now
            let userChangeCount = tokens.userChangeCount
            let answer =
                if let known {
                    try await service.change(DeviceChange(from: known, to: facts, signInToken: token), as: identity)
                } else {
                    try await service.register(Registration(facts, identity, signInToken: token), as: identity)
                }
            // The answer to a request from before a sign-in names the former user.
            let user = userChangeCount == tokens.userChangeCount ? answer.user : nil
            store.update { [now = clock.now] in
                $0.registration.registered(facts, user: user, awaitsToken: answer.awaitsToken == true, at: now)
            }
            var isNewUser = false
            if let user = store.contents.registration.user, store.updateInbox({ $0.belongs(to: user) }) {
                isNewUser = true
                isInboxDue = configuration.fetchesInbox
            }
            await apply(answer.sync, askedAt: requestedAt)
            // The person may have read messages before the service knew who it is.
            if isNewUser { await sendReads() }
            return true
        } catch {
            await failed(error, known == nil ? .register : .change)
            return known == nil ? error.isConflict : error.isUnknownInstallation
        }
    }

    /// Sends a push's nonce back to the service: this proves that the device token now belongs to this installation.
    private func returnNonce(of instructions: PushInstructions) async {
        guard let claim = instructions.claim, let identity = store.identity,
            claim.installation == identity.installation
        else { return }
        do {
            let requestedAt = clock.now
            let answer = try await service.claimToken(nonce: claim.nonce, as: identity)
            store.update { $0.registration.holdsToken() }
            await apply(answer.sync, askedAt: requestedAt)
        } catch {
            // The next registration asks for another nonce.
            await failed(error, .register)
        }
    }

    /// Reports the user's sign-out.
    ///
    /// - Returns: whether the caller should check at once if another request is needed.
    private func sendSignOut(as identity: InstallationIdentity) async -> Bool {
        do {
            let requestedAt = clock.now
            let answer = try await service.signOut(as: identity)
            store.update { contents in
                contents.registration.signOutConfirmed()
                contents.policy.signOutConfirmed(at: answer.now)
            }
            await apply(answer, askedAt: requestedAt)
            return true
        } catch {
            await failed(error, .signOut)
            return error.isUnknownInstallation
        }
    }

    /// Registers this installation again if the service no longer knows it.
    ///
    /// - Returns: whether the service had forgotten the installation and knows it again.
    func registerAgainIfForgotten() async -> Bool {
        guard store.contents.registration.confirmed == nil else { return false }
        await sendRegistration()
        return store.contents.registration.confirmed != nil
    }

    // MARK: Answers

    /// Processes the service's answer: the service's time, the removals, the badge, and the device token stored at the service.
    ///
    /// If that token differs from this phone's, another phone uses this installation's id. Then this phone takes a new
    /// identity.
    ///
    /// - Parameters:
    ///   - answer: the service's answer.
    ///   - askedAt: the phone's time when the request was sent.
    func apply(_ answer: SyncAnswer, askedAt: Timestamp) async {
        onAnswer()
        store.update { [now = clock.now] in $0.policy.time.heard(answer.now, askedAt: askedAt, at: now) }
        await messages.apply(answer)
        guard !hasLeftCopy,
            store.contents.registration.isShared(serviceToken: answer.tokenEnd, deviceToken: deviceToken)
        else { return }
        hasLeftCopy = true
        configuration.report(.installationWasCopied)
        await renewIdentity()
        onRetry()
    }

    /// The kinds of requests to the service.
    ///
    /// The raw value names the request in ``CarillonEvent/serviceFailed(request:reason:)``.
    enum Request: String {
        case register = "POST devices"
        case change = "PATCH devices"
        case signOut = "DELETE devices"
        case sync = "GET devices"
        case receipts = "POST receipts"
        case inbox = "GET inbox"
        case read = "POST read"
    }

    /// Reports a failed request, and schedules its retry.
    ///
    /// Requests that only fetch removals or the inbox get no retry of their own: they are sent again at the next launch, at the
    /// next push, or when the app enters the foreground.
    func failed(_ error: any Error, _ request: Request) async {
        configuration.report(.serviceFailed(request: request.rawValue, reason: "\(error)"))
        let serviceError = error as? ServiceCallError
        let isUnknown = request != .register && serviceError?.isUnknownInstallation == true
        let noAnswer = serviceError?.isMissingAnswer ?? false
        let jitter = store.chance()
        func fail(_ backoff: inout RetryState) {
            backoff.failed(at: clock.now, noAnswer: noAnswer, retryAfter: serviceError?.retryAfter, jitter: jitter)
        }
        store.update { contents in
            if isUnknown { contents.registration.wasForgotten() }
            // The service knows no user of this installation, so there is nobody left to sign out.
            if serviceError?.requiresSignIn == true { contents.registration.signOutConfirmed() }
            switch request {
            case .register, .change, .signOut:
                if !isUnknown { fail(&contents.registration.backoff) }
            case .receipts:
                if !isUnknown { fail(&contents.policy.receipts.backoff) }
            case .sync, .inbox, .read: break
            }
        }
        if request == .read { store.updateInbox { fail(&$0.backoff) } }
        if request == .register, serviceError?.isConflict == true { await renewIdentity() }
        scheduleRetry()
    }

    /// Replaces this installation's id and secret, because the service has another secret for the id, or another phone uses the
    /// id too.
    private func renewIdentity() async {
        await store.renewIdentity()
        store.update { $0.registration.wasForgotten() }
    }

    /// Schedules a call of ``onRetry`` for the moment when the first back-off of a failed request ends.
    private func scheduleRetry() {
        let contents = store.contents
        let moments = [
            contents.registration.backoff.notBefore, contents.policy.receipts.backoff.notBefore,
            store.inbox.backoff.notBefore,
        ]
        guard let moment = moments.compactMap(\.self).min() else { return }
        retry?.cancel()
        retry = clock.schedule(at: moment) { [weak self] in
            onMainThread { self?.onRetry() }
        }
    }
}

/// A failure of the app's sign-in closure: it threw an error, or did not return in time.
struct AppCodeError: Error, CustomStringConvertible {
    let description: String
}
