import CarillonCore
import CarillonExtension
import Foundation
import UIKit
import UserNotifications

/// Carillon inside an app: device token, recall, expiry, receipts, badge, inbox, and each message once.
///
/// It swizzles nothing and is nobody's delegate: the app delegate makes one, keeps it, and forwards iOS's callbacks, one
/// line each. The order at launch:
///
/// ```swift
/// func application(_ application: UIApplication, didFinishLaunchingWithOptions options: …) -> Bool {
///     UNUserNotificationCenter.current().delegate = self
///     let carillon = Carillon(configuration: CarillonConfiguration(service: url), appGroup: "group.com.example.app")
///     carillon.onMessage = { [weak self] message in self?.news.add(message) }
///     carillon.onResponse = { [weak self] response in self?.open(response) }
///     carillon.start(launchOptions: options)
///     self.carillon = carillon
///     return true
/// }
/// ```
///
/// The scene's delegate calls ``didConnectScene(with:)`` and ``appIsReady()`` once its window is there.
@MainActor
public final class Carillon {
    /// Called with each message once, whichever of iOS's callbacks reports it first.
    ///
    /// That is when it wakes the app, when it is shown in the foreground, when it is found in the list at launch, or when
    /// it is tapped. A wake in the background lasts until this returns, at most 25 seconds.
    ///
    /// What comes before this is set waits for it, at most 100 messages.
    public var onMessage: (@MainActor (AppMessage) async -> Void)? {
        didSet { tellUnheard() }
    }

    /// Called with each thing that the person did with a notification, once.
    ///
    /// What opens the app waits for ``appIsReady()``. A button that leaves the app in the background does not wait, if
    /// ``setCategories(_:)`` has declared it so. What comes before this is set waits for it.
    public var onResponse: (@MainActor (MessageResponse) async -> Void)? {
        didSet { tellUnheard() }
    }

    /// Called for a silent push that carries no message, to fetch new content.
    ///
    /// Returns whether there was any, within 25 seconds. iOS goes by the answers when it decides how often to wake an app.
    public var onRefresh: (@MainActor (_ userInfo: [String: JSONValue]) async -> UIBackgroundFetchResult)?

    /// Called with messages that were recalled, read elsewhere or have expired.
    ///
    /// What the app shows of them itself, in a list or a banner, should go too.
    /// What comes before this is set waits for it.
    public var onRemoval: (@MainActor (_ removed: [RemovedMessage]) -> Void)? {
        didSet { tellUnheard() }
    }

    /// Called when ``inbox`` has changed.
    public var onInboxChange: (@MainActor () -> Void)?

    /// Called with the permission at launch, and whenever it turns out to have changed.
    public var onPermissionChange: (@MainActor (PermissionState) -> Void)?

    let configuration: CarillonConfiguration
    let clock: any CarillonClock
    /// Language and region, and the time zone.
    let region: @Sendable () -> (locale: String, timeZone: String)
    let store: CarillonStore
    let service: ServiceClient
    let notificationCenter: NotificationCenterClient
    let application: UIApplication
    let interpreter = PushInterpreter()
    let completions: CompletionHandlers
    let tasks: OwnedTasks
    /// Runs what changes the list of notifications: a removal never overtakes an addition that has begun.
    let notificationQueue = SerialQueue()
    /// Runs the requests to the service, so that none overtakes another.
    let serviceQueue = SerialQueue()

    var router = ResponseRouter()
    private(set) var readingRule = ReadingRule()
    private(set) var backgroundActions = BackgroundActions([])
    private var unheard = Unheard()
    private var readiness: ScheduledAction?
    var deviceToken: DeviceToken?
    var retry: ScheduledAction?
    /// Rings when the next message of the list expires.
    var expiryAlarm: ScheduledAction?
    private var lifeCycle: LifeCycleObserver?
    private var isReconcilingSoon = false
    /// Whether this phone has become another installation since it was launched: once, whatever the service says after.
    var hasLeftCopy = false

    /// Makes Carillon for an app, which does nothing before ``start(launchOptions:)``.
    ///
    /// - Parameters:
    ///   - configuration: how this app uses Carillon.
    ///   - platform: ``AppPlatform/current(appGroup:)``.
    ///   - transport: how to reach the service: `URLSessionTransport(platform: platform)`.
    ///   - center: `UNUserNotificationCenter.current()`.
    ///   - application: `UIApplication.shared`.
    ///   - randomness: ``AppPlatform/randomness``; the installation's secret is drawn from it.
    public init(
        configuration: CarillonConfiguration, platform: AppPlatform, transport: any ServiceTransport,
        center: UNUserNotificationCenter, application: UIApplication,
        randomness: any RandomNumberGenerator & Sendable
    ) {
        self.configuration = configuration
        clock = platform.clock
        region = platform.region
        store = CarillonStore(
            files: platform.storeFiles, vendor: UIDevice.current.identifierForVendor?.uuidString,
            randomness: randomness,
            report: configuration.report)
        service = ServiceClient(url: configuration.service, transport: transport)
        notificationCenter = NotificationCenterClient(center: center)
        // What has happened is on disk before iOS may suspend the app.
        completions = CompletionHandlers(
            clock: platform.clock, report: configuration.report, beforeEach: { [store] in store.saveWhatMatters() })
        tasks = OwnedTasks(afterEach: { [store] in store.saveWhatMatters() })
        self.application = application
        if let group = platform.unusableAppGroup { configuration.report(.appGroupIsUnusable(group)) }
        for mistake in configuration.mistakes(in: .current) { configuration.report(mistake) }
    }

    /// Makes Carillon for the app that is running, which does nothing before ``start(launchOptions:)``.
    ///
    /// - Parameters:
    ///   - configuration: how this app uses Carillon: `CarillonConfiguration(service: url)` suffices.
    ///   - appGroup: the App Group shared with the service extension; `nil` for an app without one.
    @available(iOSApplicationExtension, unavailable, message: "an extension is a CarillonServiceExtension")
    public convenience init(configuration: CarillonConfiguration, appGroup: String?) {
        let platform = AppPlatform.current(appGroup: appGroup)
        self.init(
            configuration: configuration, platform: platform, transport: URLSessionTransport(platform: platform),
            center: .current(), application: .shared, randomness: platform.randomness)
    }

    // MARK: Life cycle

    /// Asks iOS for the device token, as Apple wants it at every launch, and reconciles this phone with the service.
    ///
    /// To be called from `didFinishLaunchingWithOptions`, after the handlers are set.
    ///
    /// - Parameter launchOptions: as iOS gave them; the default is none.
    public func start(launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil) {
        if let userInfo = launchOptions?[.remoteNotification] as? [AnyHashable: Any] {
            tasks.start { [self, payload = Self.payload(userInfo)] in await passToApp(launch: payload) }
        }
        lifeCycle = LifeCycleObserver(
            application, [.willEnterForeground, .didEnterBackground, .filesBecameReadable]
        ) { [weak self] in self?.heard($0) }
        application.registerForRemoteNotifications()
        networkMayBeBack()
        startReconciling()
    }

    /// Declares the buttons of the app's notifications.
    ///
    /// To be called at each launch, before it is over: what the person does with a notification may launch the app.
    ///
    /// - Parameter categories: all of them; they replace those that were declared before.
    public func setCategories(_ categories: [NotificationCategory]) {
        readingRule = ReadingRule(categories)
        backgroundActions = BackgroundActions(categories)
        notificationCenter.setCategories(categories)
    }

    private func heard(_ event: LifeCycleObserver.Event) {
        switch event {
        case .willEnterForeground: willEnterForeground()
        case .didEnterBackground: store.save()
        case .filesBecameReadable:
            guard store.identity == nil, store.open() else { return }
            onInboxChange?()
            startReconciling()
        case .didBecomeActive: break
        }
    }

    /// Reconciles this phone with the service; the app or a scene enters the foreground.
    package func willEnterForeground() {
        networkMayBeBack()
        startReconciling()
    }

    /// Calls ``reconcile()`` in a task, once for what comes in one go: an app and its scene are told of the same step.
    func startReconciling() {
        guard !isReconcilingSoon else { return }
        isReconcilingSoon = true
        tasks.start { [self] in
            isReconcilingSoon = false
            await reconcile()
        }
    }

    /// Ends the back-off of requests that got no answer, because a push or an opened app suggests that there is a network.
    func networkMayBeBack() {
        store.update { contents in
            contents.registration.backoff.networkMayBeBack()
            contents.policy.receipts.backoff.networkMayBeBack()
        }
        store.updateInbox { $0.backoff.networkMayBeBack() }
    }

    /// Says that the app's screens exist, so that ``onResponse`` is called with what waits.
    ///
    /// To be called when the first scene has its window; what the person did to launch the app waits for it. If it is
    /// forgotten, ``CarillonEvent/appIsNotReady(waiting:)`` is reported.
    public func appIsReady() {
        readiness?.cancel()
        for response in router.becameReady() {
            tasks.start { [self] in await tell(response) }
        }
    }

    /// A response waits for the app's screens: they should come soon.
    func expectReadiness() {
        guard router.waitingCount == 1 else { return }
        readiness = clock.schedule(after: AppLimits.readinessTime) { [weak self] in
            onMainThread {
                guard let self, self.router.waitingCount > 0 else { return }
                self.configuration.report(.appIsNotReady(waiting: self.router.waitingCount))
            }
        }
    }

    // MARK: Telling the app

    func tell(_ message: AppMessage) async {
        guard let onMessage else { return unheard.add(message) }
        await onMessage(message)
    }

    func tell(_ response: MessageResponse) async {
        guard let onResponse else { return unheard.add(response) }
        await onResponse(response)
    }

    func tell(_ removed: [RemovedMessage]) {
        guard let onRemoval else { return unheard.add(removed) }
        onRemoval(removed)
    }

    /// A handler was set: what waited for it is told, in the order in which it came.
    private func tellUnheard() {
        if let onRemoval {
            let removals = unheard.takeRemovals()
            if !removals.isEmpty { onRemoval(removals) }
        }
        let messages = onMessage == nil ? [] : unheard.takeMessages()
        let responses = onResponse == nil ? [] : unheard.takeResponses()
        guard !messages.isEmpty || !responses.isEmpty else { return }
        tasks.start { [self] in
            for message in messages { await tell(message) }
            for response in responses { await tell(response) }
        }
    }

    /// Returns when all work that was started is done; for tests, and for an app that is about to end.
    public func settle() async { await tasks.settle() }

    // MARK: About this installation

    /// What the person allows, as it was read last: at launch, on entering the foreground, after asking.
    ///
    /// `nil` before it was read for the first time.
    public internal(set) var permission: PermissionState?

    /// The installation's id, by which the service knows this device: 32 hexadecimal digits.
    ///
    /// `nil` while the SDK's files cannot be read, as before the phone's first unlock after a restart.
    public var installation: String? { store.identity?.installation }

    /// The user to whom the service has bound this installation; `nil` when there is none.
    public var user: String? { store.contents.registration.user }

    /// Whether receipts are written; kept in the store.
    ///
    /// The default is `true`. Setting `false` also drops the receipts that were not sent yet.
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

    /// A payload as iOS hands it over, as JSON; empty when it is not made of property-list values.
    static func payload(_ userInfo: [AnyHashable: Any]) -> [String: JSONValue] {
        JSONValue(foundation: userInfo)?.objectValue ?? [:]
    }
}
