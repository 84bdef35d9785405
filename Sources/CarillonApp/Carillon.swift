import CarillonCore
import CarillonMessaging
import Foundation
import UIKit
import UserNotifications

/// Carillon inside an app: device token, recall, expiry, receipts, badge, inbox, and each message exactly once.
///
/// It swizzles nothing and becomes nobody's delegate: the app delegate creates one, keeps it, and forwards iOS's callbacks, one
/// line each. Set all handlers, then call ``start(launchOptions:)``:
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
/// The scene delegate calls ``sceneWillConnect(with:)``, and ``appIsReady()`` once its window exists.
@MainActor
public final class Carillon {
    /// Called once with each message, whichever callback of iOS reports it first.
    ///
    /// A message is reported when its push wakes the app, when it is shown in the foreground, when the SDK finds it in the list
    /// at launch, or when the person taps it. A background wake lasts until this handler returns, at most 25 seconds.
    ///
    /// Until this is set, up to 100 messages wait for it.
    public var onMessage: (@MainActor (Message) async -> Void)? {
        get { handlers.onMessage }
        set { handlers.onMessage = newValue }
    }

    /// Called once with each response of the person to a notification.
    ///
    /// A response that opens the app waits for ``appIsReady()``. A button that leaves the app in the background does not wait,
    /// if it is declared with ``setNotificationCategories(_:leavingUnread:)``. Responses wait until this handler is set.
    public var onResponse: (@MainActor (Response) async -> Void)? {
        get { handlers.onResponse }
        set { handlers.onResponse = newValue }
    }

    /// Called for a silent push that carries no message, so that the app can fetch new content.
    ///
    /// The handler returns within 25 seconds whether it found any. iOS uses these results to decide how often it wakes the app.
    public var onRefresh: (@MainActor (_ userInfo: [String: JSONValue]) async -> UIBackgroundFetchResult)? {
        get { handlers.onRefresh }
        set { handlers.onRefresh = newValue }
    }

    /// Called with messages that were recalled, were read elsewhere or have expired.
    ///
    /// The app should remove them from its own lists and banners. Removals wait until this handler is set.
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
    private let clock: any CarillonClock
    let notifications: NotificationCenterClient
    private let application: UIApplication
    private var lifeCycle: LifeCycleObserver?
    private var isReconcilingSoon = false

    /// Makes Carillon for an app.
    ///
    /// It does nothing before ``start(launchOptions:)``.
    ///
    /// - Parameters:
    ///   - configuration: the app's configuration.
    ///   - platform: `AppPlatform.current(appGroup:)`.
    ///   - transport: the connection to the service: `URLSessionTransport(platform: platform)`.
    ///   - center: `UNUserNotificationCenter.current()`.
    ///   - application: `UIApplication.shared`.
    ///   - randomness: ``AppPlatform/randomness``; the installation's secret is drawn from it.
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
        // Everything is on disk before iOS may suspend the app.
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
        exchange.onRetry = { [weak self] in self?.startReconciling() }
        exchange.onAnswer = { [setup] in setup.isResolved { if case .serviceFailed = $0 { true } else { false } } }
        messages.onExpiry = { [weak self] in self?.startRemovingExpired() }
        if let group = platform.unusableAppGroup { configuration.report(.appGroupIsUnusable(group)) }
        for mistake in configuration.mistakes(in: .current) { configuration.report(mistake) }
    }

    /// Makes Carillon for the running app.
    ///
    /// It does nothing before ``start(launchOptions:)``.
    ///
    /// - Parameters:
    ///   - configuration: the app's configuration: `Carillon.Configuration(service: url)` suffices.
    ///   - appGroup: the App Group shared with the service extension; `nil` for an app without one.
    @available(iOSApplicationExtension, unavailable, message: "an extension is a CarillonServiceExtension")
    public convenience init(configuration: Configuration, appGroup: String?) {
        let platform = AppPlatform.current(appGroup: appGroup)
        self.init(
            configuration: configuration, platform: platform,
            transport: URLSessionTransport(platform: platform, session: configuration.urlSession),
            center: .current(), application: .shared, randomness: platform.randomness)
    }

    // MARK: Life cycle

    /// Starts the SDK: requests the device token, as Apple advises at every launch, and reconciles this phone with the service.
    ///
    /// Call it from `didFinishLaunchingWithOptions`. Set all handlers, then call ``start(launchOptions:)``.
    ///
    /// - Parameter launchOptions: the launch options as iOS gave them; the default is none.
    public func start(launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil) {
        if let userInfo = launchOptions?[.remoteNotification] as? [AnyHashable: Any] {
            tasks.start { [self, payload = Self.payload(userInfo)] in await messages.passToApp(launch: payload) }
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
    /// Call it at each launch, before launching ends: a person's response may be the reason for the launch.
    ///
    /// - Parameters:
    ///   - categories: all categories; they replace the categories that were declared before. Only a category with
    ///     `.customDismissAction` reports that a notification was cleared.
    ///   - leavingUnread: the identifiers of actions that leave the message unread; the default is none.
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

    /// Reconciles this phone with the service when the app or a scene enters the foreground.
    package func willEnterForeground() {
        exchange.networkMayBeBack()
        startReconciling()
    }

    /// Calls ``reconcile()`` in a task, once for simultaneous events: iOS reports entering the foreground for app and scene.
    private func startReconciling() {
        guard !isReconcilingSoon else { return }
        isReconcilingSoon = true
        tasks.start { [self] in
            isReconcilingSoon = false
            await reconcile()
        }
    }

    /// Reconciles this phone with the service, at launch and on entering the foreground.
    ///
    /// Reads the list of notifications, removes recalled and expired ones, asks the service for missed removals, and sends
    /// receipts, reads and changes of the registration.
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

    /// Tells the SDK that the app's screens exist, so that ``onResponse`` is called with the waiting responses.
    ///
    /// Call it when the first scene has its window: a response that launches the app waits for this call. Without it,
    /// ``CarillonEvent/appIsNotReady(waiting:)`` is reported.
    public func appIsReady() { handlers.appIsReady() }

    /// Returns when all started work is done; for tests, and for an app that is about to end.
    package func settle() async { await tasks.settle() }

    /// Finds mistakes in the app's set-up, for a screen that a developer or a tester can open.
    ///
    /// - Returns: events that have `advice` (each is also in the log): a missing entitlement, an App Group that the app does
    ///   not have, a missing, late or replaced delegate, an undeclared category, the last failure of the service.
    public func diagnose() async -> [Event] { await setup.mistakes() }

    // MARK: Inbox

    /// The user's newest messages, newest first, at most 100.
    ///
    /// The list is the service's last answer without the messages that were recalled or have expired since. It is stored on the
    /// phone, so it is available offline. It is empty when nobody is signed in, or when ``Carillon/Configuration/fetchesInbox``
    /// is `false`.
    public var inbox: [InboxItem] {
        let now = store.contents.policy.time.now(clock.now)
        return store.inbox.items(at: now)
    }

    /// Fetches the inbox from the service.
    ///
    /// The SDK also fetches it at launch, on entering the foreground, and when a message arrives in the foreground.
    ///
    /// - Returns: whether the service has answered; if not, the inbox is unchanged.
    @discardableResult
    public func refreshInbox() async -> Bool { await exchange.fetchInbox() }

    // MARK: About this installation

    /// The person's permission, as read last: at launch, on entering the foreground, or after asking for it.
    ///
    /// `nil` until it is read for the first time.
    public internal(set) var authorizationStatus: UNAuthorizationStatus?

    /// The installation's id at the service: 32 hexadecimal digits.
    ///
    /// `nil` while the SDK's files cannot be read, for example before the phone's first unlock after a restart.
    public var installationID: String? { store.identity?.installation }

    /// The user to whom the service has bound this installation; `nil` if there is none.
    public var user: String? { store.contents.registration.user }

    /// Whether the SDK writes receipts.
    ///
    /// The value is stored on the phone.
    ///
    /// The default is `true`. Setting `false` also drops the receipts that are not yet sent.
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

    /// Converts a payload from iOS to JSON; returns an empty dictionary if it has values that JSON cannot represent.
    static func payload(_ userInfo: [AnyHashable: Any]) -> [String: JSONValue] {
        JSONValue(foundation: userInfo)?.objectValue ?? [:]
    }
}
