import CarillonCore
import CarillonMessaging

/// The runner of all requests to the service: sends those of each lane in order, and tries again when the first back-off ends.
///
/// A lane is the queue of one kind of request. Each lane decides what it sends, and when it tries again after a failure.
@MainActor
final class ServiceExchange {
    private let store: CarillonStore
    private let clock: any CarillonClock
    private let background: BackgroundTime
    private let calls: ServiceCalls
    private let registration: RegistrationRequests
    private let messages: MessageRequests
    private let activities: ActivityRequests
    private let queue = SerialQueue()
    private var retry: ScheduledAction?
    /// Called when a back-off has ended, or this phone has a new identity; the app should then call ``sendDue()``.
    var onRetry: @MainActor () -> Void = {} { didSet { calls.onNewIdentity = onRetry } }
    /// Called when the service has answered.
    var onAnswer: @MainActor () -> Void {
        get { calls.onAnswer }
        set { calls.onAnswer = newValue }
    }
    /// The device token as iOS gave it; `nil` before iOS gives one.
    var deviceToken: DeviceToken? {
        get { calls.deviceToken }
        set { calls.deviceToken = newValue }
    }

    /// The observer of the app's Live Activities.
    let liveActivities: CarillonLiveActivities
    /// The reader of the tokens for the app's widgets and controls.
    let widgets: CarillonWidgets

    init(
        _ configuration: Carillon.Configuration, store: CarillonStore, clock: any CarillonClock,
        region: @escaping @Sendable () -> (locale: String, timeZone: String),
        service: ServiceClient, notifications: NotificationCenterClient, messages: MessageCenter,
        background: BackgroundTime
    ) {
        self.store = store
        self.clock = clock
        self.background = background
        calls = ServiceCalls(configuration, store: store, clock: clock, service: service, messages: messages)
        registration = RegistrationRequests(calls: calls, region: region, notifications: notifications)
        self.messages = MessageRequests(calls: calls, tokens: registration.tokens)
        liveActivities = CarillonLiveActivities(store: store, clock: clock, report: configuration.report)
        activities = ActivityRequests(calls: calls, liveActivities: liveActivities)
        widgets = CarillonWidgets(store: store)
        widgets.onRead = { [calls] in calls.hasReadWidgets = true }
        liveActivities.onRegistration = { [calls] in calls.liveActivityTypes = $0 }
        liveActivities.onChange = { [weak self] in self?.onRetry() }
    }

    // MARK: In the order of the calls

    /// Sends changes of this installation, or its user's sign-out, to the service.
    func register() async {
        await background.run("registration") {
            await registration.fetchSignInToken()
            await run { [self] in await updateRegistration() }
        }
    }

    /// Ends the signed-out user's Live Activities, and sends the sign-out to the service.
    func signOut() async {
        await liveActivities.signOut()
        await register()
    }

    /// Sends all changes, receipts and reports of read messages that the service does not have yet, and fetches removals, badge,
    /// inbox and the newest states of Live Activities.
    func reconcile() async {
        liveActivities.ask()
        await background.run("reconciliation") {
            await widgets.update()
            await registration.fetchSignInToken()
            await run { [self] in
                _ = await whileRegistered {
                    await messages.synchronise()
                    _ = await messages.sendReceipts()
                    await activities.send()
                    return await messages.fetchInbox()
                }
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
    /// - Returns: `false` if a receipt is left to send, or if removals had to be fetched and could not be; otherwise `true`.
    @discardableResult
    func exchange(
        after instructions: PushInstructions = PushInstructions(dialect: .carillon), fetchesInbox: Bool = false
    ) async -> Bool {
        await background.run("receipts and reads") {
            await run { [self] in
                // iOS may end the app while it waits for an answer.
                await store.savedWhatMatters()
                await registration.returnNonce(of: instructions)
                return await whileRegistered {
                    let isSynchronised = await synchronise(instructions.needsSync)
                    let isDone = await messages.sendReceipts() && isSynchronised
                    await activities.send()
                    if fetchesInbox { await messages.fetchInbox() }
                    return isDone
                }
            }
        }
    }

    /// Sends the requests whose back-off has ended.
    func sendDue() async {
        await background.run("retry") {
            await registration.fetchSignInToken()
            await run { [self] in
                _ = await whileRegistered {
                    _ = await synchronise()
                    await activities.send()
                    return await messages.sendReceipts()
                }
            }
        }
    }

    /// Fetches the inbox, after all requests that were made before.
    ///
    /// - Returns: whether the service has answered; `true` if there is nothing to fetch.
    func fetchInbox() async -> Bool {
        // The person who asks for it expects a network.
        store.updateInbox { $0.fetch.backoff.networkMayBeBack() }
        return await run { [self] in await messages.fetchInbox() }
    }

    /// Discards sign-in tokens of the previous user, after a sign-in or a sign-out.
    func userChanged() { registration.tokens.forget() }

    /// Ends the back-off of unanswered requests.
    ///
    /// Called when a push arrives or the app enters the foreground, because both suggest that the network is back.
    func networkMayBeBack() {
        store.update { contents in
            contents.registration.backoff.networkMayBeBack()
            contents.policy.receipts.backoff.networkMayBeBack()
            contents.sync.backoff.networkMayBeBack()
            contents.activityReports.backoff.networkMayBeBack()
        }
        store.updateInbox { inbox in
            inbox.reads.backoff.networkMayBeBack()
            inbox.fetch.backoff.networkMayBeBack()
        }
    }

    // MARK: The runner

    /// Runs `requests` after all earlier requests, and returns their result.
    ///
    /// After `requests`, if the registration still needs a sign-in token, asks the app for a token and sends the registration.
    /// If this binds the installation to another user, the inbox is fetched too.
    private func run<Value: Sendable>(_ requests: @escaping @MainActor () async -> Value) async -> Value {
        let value = await queue.run(requests)
        for _ in 0..<AppLimits.requestsPerRegistration {
            guard await registration.fetchSignInToken() else { break }
            await queue.run { [self] in await updateRegistration() }
        }
        if store.inbox.fetch.isDue(at: clock.now) { await queue.run { [self] in _ = await messages.fetchInbox() } }
        scheduleRetry()
        return value
    }

    /// Sends changes of this installation, and then the messages that the person may have read before the service knew who it is.
    private func updateRegistration() async {
        await registration.send()
        await messages.sendReads()
    }

    /// Sends the registration, and then `requests`.
    ///
    /// If the service turns out to have forgotten the installation meanwhile, sends both once more.
    private func whileRegistered(_ requests: @MainActor () async -> Bool) async -> Bool {
        await updateRegistration()
        let wasRegistered = store.contents.registration.confirmed != nil
        let isDone = await requests()
        guard wasRegistered, store.contents.registration.confirmed == nil else { return isDone }
        await updateRegistration()
        return await requests()
    }

    /// Fetches removals if they are needed now, or if an earlier fetch has failed and its back-off is over.
    private func synchronise(_ isNeeded: Bool = false) async -> Bool {
        isNeeded || store.contents.sync.isDue(at: clock.now) ? await messages.synchronise() : true
    }

    /// Schedules a call of ``onRetry`` for the moment at which the first lane tries again; no call if no lane waits.
    private func scheduleRetry() {
        retry?.cancel()
        retry = [registration.nextAttempt, messages.nextAttempt, activities.nextAttempt].compactMap(\.self).min().map {
            moment in
            clock.schedule(at: moment) { [weak self] in
                onMainThread { self?.onRetry() }
            }
        }
    }
}
