import CarillonCore
import CarillonMessaging
import CarillonUserInfo
import Foundation
import UIKit
import UserNotifications

/// The Carillon push SDK inside an app.
///
/// It registers the device token, hands each message to the app once, and removes notifications that were recalled, were read
/// elsewhere or have expired. It also sends receipts to the service, and keeps the badge and the inbox up to date.
///
/// The SDK swizzles nothing and never makes itself a delegate. The app delegate creates one `Carillon`, keeps it, and forwards
/// iOS's callbacks, one line each. Set all handlers, then call ``start(launchOptions:)``:
///
/// ```swift
/// func application(_ application: UIApplication, didFinishLaunchingWithOptions options: …) -> Bool {
///     UNUserNotificationCenter.current().delegate = self
///     let carillon = Carillon(configuration: .init(service: url), appGroup: "group.com.example.app")
///     carillon.onMessage = { [weak self] message in self?.news.add(message) }
///     carillon.onResponse = { [weak self] response in self?.open(response) }
///     carillon.start(launchOptions: options)
///     self.carillon = carillon
///     return true
/// }
/// ```
///
/// A scene delegate calls ``sceneWillConnect(with:)``, and calls ``appIsReady()`` once its window exists.
@MainActor
public final class Carillon {
    /// Called once with each message, whichever callback of iOS reports it first.
    ///
    /// The SDK calls the handler when a push wakes the app, when a notification is shown in the foreground, or when the person
    /// taps one. At launch and on entering the foreground it also calls the handler for new notifications in Notification
    /// Center.
    ///
    /// The SDK never calls the handler with a message that was recalled, has expired or is a former user's.
    ///
    /// During a background wake, the app stays awake until the handler returns, for at most 25 seconds.
    ///
    /// Up to 100 messages wait until the app sets this handler; beyond that the oldest is dropped.
    public var onMessage: (@MainActor (Message) async -> Void)? {
        get { handlers.onMessage }
        set { handlers.onMessage = newValue }
    }

    /// Called once with each response of the person to a notification.
    ///
    /// A response that opens the app waits for ``appIsReady()``. The response of a button that does not open the app does not
    /// wait, if the app has declared the button with ``setNotificationCategories(_:leavingUnread:)``. Up to 100 responses wait
    /// until the app sets this handler.
    ///
    /// The SDK drops a response to a message that, at the time of the response, was recalled, had expired or was a former
    /// user's.
    public var onResponse: (@MainActor (Response) async -> Void)? {
        get { handlers.onResponse }
        set { handlers.onResponse = newValue }
    }

    /// Called for a silent push that carries no message, so that the app can fetch new content.
    ///
    /// The handler must return within 25 seconds, and its result says whether it found new content. iOS uses these results to
    /// decide how often it wakes the app.
    public var onRefresh: (@MainActor (_ userInfo: [String: JSONValue]) async -> UIBackgroundFetchResult)? {
        get { handlers.onRefresh }
        set { handlers.onRefresh = newValue }
    }

    /// Called with messages that must no longer be visible: they were recalled, were read elsewhere or have expired.
    ///
    /// The app should remove them from its own lists and banners. Up to 100 removals wait until the app sets this handler.
    public var onRemoval: (@MainActor (_ removed: [Removal]) -> Void)? {
        get { handlers.onRemoval }
        set { handlers.onRemoval = newValue }
    }

    /// Called when ``inbox`` has changed.
    public var onInboxChange: (@MainActor () -> Void)? {
        get { store.onInboxChange }
        set { store.onInboxChange = newValue }
    }

    /// Called with the authorization status at launch, and whenever the SDK finds that it has changed.
    public var onAuthorizationChange: (@MainActor (UNAuthorizationStatus) -> Void)?

    let configuration: Configuration
    let store: CarillonStore
    let handlers: AppHandlers
    let messages: MessageCenter
    let exchange: ServiceExchange
    let completions: CompletionHandlers
    let tasks: OwnedTasks
    let background: BackgroundTime
    let setup: SetupCheck
    let attachments: SilentAttachments
    let clock: any CarillonClock
    let notifications: NotificationCenterClient
    private let application: UIApplication
    private var lifeCycle: LifeCycleObserver?
    private var isReconcilingSoon = false

    /// Makes the SDK's main object from the given parts of the system, for the running app or for a test.
    ///
    /// Set the handlers next, and then call ``start(launchOptions:)``.
    ///
    /// - Parameters:
    ///   - configuration: the app's configuration.
    ///   - platform: the phone's clock, files and network; in an app `AppPlatform.current(appGroup:)`.
    ///   - transport: sends requests to the service; in an app `URLSessionTransport(platform: platform)`.
    ///   - center: the notification center; in an app `UNUserNotificationCenter.current()`.
    ///   - application: the app object; in an app `UIApplication.shared`.
    ///   - randomness: the source of the installation's secret; in an app ``AppPlatform/randomness``.
    package init(
        configuration: Configuration, platform: AppPlatform, transport: any ServiceTransport,
        center: UNUserNotificationCenter, application: UIApplication,
        randomness: any RandomNumberGenerator & Sendable
    ) {
        notifications = NotificationCenterClient(center: center)
        setup = SetupCheck(notifications: notifications, application: application)
        var configuration = configuration
        configuration.report = setup.listening(to: configuration.report)
        self.configuration = configuration
        self.application = application
        clock = platform.clock
        attachments = SilentAttachments(
            platform: platform, SharedRandomSource(randomness), report: configuration.report)
        let store = CarillonStore(
            files: platform.storeFiles, vendor: UIDevice.current.identifierForVendor?.uuidString,
            randomness: randomness, isInFront: { application.applicationState != .background },
            report: configuration.report)
        self.store = store
        // The saves in these closures put everything on disk before iOS may suspend the app.
        completions = CompletionHandlers(
            clock: platform.clock, report: configuration.report, beforeEach: { store.saveWhatMatters() })
        tasks = OwnedTasks(afterEach: { store.saveWhatMatters() })
        background = BackgroundTime(application, beforeEnd: { store.saveWhatMatters() })
        handlers = AppHandlers(configuration, store: store, clock: platform.clock, tasks: tasks)
        messages = MessageCenter(
            configuration, store: store, clock: platform.clock, notifications: notifications,
            application: application, handlers: handlers)
        exchange = ServiceExchange(
            configuration, store: store, clock: platform.clock, region: platform.region,
            service: ServiceClient(url: configuration.service, transport: transport), notifications: notifications,
            messages: messages, background: background)
        exchange.onRetry = { [weak self] in self?.tasks.start { await self?.exchange.sendDue() } }
        exchange.onAnswer = { [setup] in setup.isResolved { if case .serviceFailed = $0 { true } else { false } } }
        messages.onExpiry = { [weak self] in self?.startRemovingExpired() }
        if setup.isSecondUse(of: platform.directory) { configuration.report(.storeIsInUse) }
        if let group = platform.unusableAppGroup { configuration.report(.appGroupIsUnusable(group)) }
        for mistake in configuration.mistakes(in: .current) { configuration.report(mistake) }
    }

    /// Makes the SDK's main object for the running app.
    ///
    /// Set the handlers next, and then call ``start(launchOptions:)``.
    ///
    /// - Parameters:
    ///   - configuration: the app's configuration: `Carillon.Configuration(service: url)` suffices.
    ///   - appGroup: the App Group shared with the service extension; `nil` keeps the SDK's files in the app's own container.
    @available(iOSApplicationExtension, unavailable, message: "an extension is a CarillonServiceExtension")
    public convenience init(configuration: Configuration, appGroup: String?) {
        let platform = AppPlatform.current(appGroup: appGroup)
        self.init(
            configuration: configuration, platform: platform,
            transport: URLSessionTransport(platform: platform, session: configuration.urlSession),
            center: .current(), application: .shared, randomness: platform.randomness)
    }

    // MARK: Life cycle

    /// Starts the SDK: requests the device token from iOS, sends waiting changes to the service, and fetches missed removals.
    ///
    /// Call it from `application(_:didFinishLaunchingWithOptions:)`, after you have set all handlers. Apple advises to request
    /// the device token at every launch.
    ///
    /// - Parameter launchOptions: the launch options as iOS gave them; the default is none.
    public func start(launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil) {
        if let userInfo = launchOptions?[.remoteNotification] as? [AnyHashable: Any] {
            tasks.start { [self, payload = Self.payload(userInfo)] in
                await store.takeOver { [messages] in await messages.passToApp(launch: payload) }
            }
        }
        lifeCycle = LifeCycleObserver(
            application, [.willEnterForeground, .didEnterBackground, .filesBecameReadable]
        ) { [weak self] in self?.heard($0) }
        application.registerForRemoteNotifications()
        tasks.start { [attachments] in await attachments.removeForgotten() }
        willEnterForeground()
    }

    /// Declares the buttons of the app's notifications.
    ///
    /// Call it at each launch, before `application(_:didFinishLaunchingWithOptions:)` returns: a person's response may have
    /// launched the app.
    ///
    /// - Parameters:
    ///   - categories: all categories; they replace the categories that were declared before. iOS reports a cleared
    ///     notification only for a category with `.customDismissAction`.
    ///   - leavingUnread: the identifiers of actions that do not mark the message as read; the default is none.
    public func setNotificationCategories(
        _ categories: Set<UNNotificationCategory>, leavingUnread: Set<String> = []
    ) {
        handlers.declare(categories, leavingUnread: leavingUnread)
        notifications.center.setNotificationCategories(categories)
    }

    private func heard(_ event: LifeCycleObserver.Event) {
        switch event {
        case .willEnterForeground: willEnterForeground()
        case .didEnterBackground: store.saveAtOnce()
        case .filesBecameReadable:
            guard store.identity == nil, store.open() else { return }
            store.onInboxChange?()
            startReconciling()
        case .didBecomeActive: break
        }
    }

    /// Sends waiting changes to the service, and fetches missed removals, when the app or a scene enters the foreground.
    package func willEnterForeground() {
        exchange.networkMayBeBack()
        startReconciling()
    }

    /// Starts ``reconcile()`` in a task, unless such a task is already about to start.
    ///
    /// iOS may report entering the foreground twice: for the app and for its scene.
    private func startReconciling() {
        guard !isReconcilingSoon else { return }
        isReconcilingSoon = true
        tasks.start { [self] in
            isReconcilingSoon = false
            await reconcile()
        }
    }

    /// Brings this phone and the service up to date with each other, at launch and on entering the foreground.
    ///
    /// Reads the list of delivered notifications, removes recalled and expired ones, and asks the service for missed removals.
    /// Also sends receipts, reports of read messages, and changes of the registration.
    private func reconcile() async {
        await store.takeOver()
        _ = await readAuthorizationStatus()
        let progress = CallbackProgress()
        await messages.run(progress) { policy, _ in policy.reconciling() }
        store.saveWhatMatters()
        handlers.start()
        await setup.look(configuration.report)
        let serviceExchange = Task { [exchange] in await exchange.reconcile() }
        await handlers.handOver(progress.unreported)
        await serviceExchange.value
    }

    private func startRemovingExpired() {
        tasks.start { [self] in
            await messages.run { policy, _ in policy.listMayBeOld() }
            await exchange.exchange()
        }
    }

    /// Tells the SDK that the app's screens exist; the SDK then calls ``onResponse`` with the waiting responses.
    ///
    /// Call it when the first scene has its window: a response that launches the app waits for this call. If the call does not
    /// come within 10 seconds of such a response, the SDK reports ``CarillonEvent/appIsNotReady(waiting:)``.
    public func appIsReady() { handlers.appIsReady() }

    /// Waits until all work that the SDK has started is done; for tests, and for an app that is about to end.
    package func settle() async { await tasks.settle() }

    /// Returns the mistakes in the app's set-up, for a screen that a developer or a tester can open.
    ///
    /// - Returns: events with `advice`, for example about a missing entitlement, an App Group that the app does not have, a
    ///   missing, late or replaced delegate, an undeclared category, or the service's last failure.
    public func diagnose() async -> [Event] { await setup.mistakes() }

    // MARK: Inbox

    /// The user's newest messages, newest first, at most 100.
    ///
    /// The list is the service's last answer without the messages that were recalled or have expired since. It is stored on the
    /// phone, so it is available offline. It is empty if nobody is signed in, or if ``Carillon/Configuration/fetchesInbox`` is
    /// `false`.
    public var inbox: [InboxItem] {
        let now = store.contents.policy.time.now(clock.now)
        return store.inbox.items(at: now)
    }

    /// Fetches the inbox from the service.
    ///
    /// The SDK also fetches the inbox at launch, on entering the foreground, when a user has signed in, and when a message arrives
    /// in the foreground.
    ///
    /// - Returns: `false` if the service did not answer; the inbox is then unchanged.
    @discardableResult
    public func refreshInbox() async -> Bool { await exchange.fetchInbox() }

    /// The app's Live Activities that the service starts, updates and ends.
    public var liveActivities: CarillonLiveActivities { exchange.liveActivities }

    /// The app's widgets and controls that the service reloads.
    public var widgets: CarillonWidgets { exchange.widgets }

    // MARK: About this installation

    /// The person's permission to show notifications, as the SDK last read it.
    ///
    /// The SDK reads it at launch, on entering the foreground, and in ``requestAuthorization(options:)``. It is `nil` before
    /// the first reading.
    public internal(set) var authorizationStatus: UNAuthorizationStatus?

    /// The id of this installation of the app at the service: 32 hexadecimal digits.
    ///
    /// `nil` while the SDK's files cannot be read, for example before the phone's first unlock after a restart.
    public var installationID: String? { store.identity?.installation }

    /// The user to whom the service has bound this installation of the app; `nil` if there is none.
    public var user: String? { store.contents.registration.user }

    /// Whether the SDK writes receipts, which report to the service that a message was received, shown or opened.
    ///
    /// The value is stored on the phone.
    ///
    /// The default is `true`. Setting `false` also drops the receipts that have not been sent.
    public var writesReceipts: Bool {
        get { store.contents.policy.writesReceipts }
        set {
            store.update { contents in
                contents.policy.writesReceipts = newValue
                if !newValue { contents.policy.receipts.clear() }
            }
            store.save()
        }
    }

    /// Converts a payload from iOS to JSON; returns an empty dictionary if the payload has values that JSON cannot represent.
    static func payload(_ userInfo: [AnyHashable: Any]) -> [String: JSONValue] {
        JSONValue(foundation: userInfo)?.objectValue ?? [:]
    }
}
