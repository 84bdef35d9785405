import CarillonCore
import Foundation
import UIKit
import UserNotifications

/// Carillon inside an app: device token, recall, expiry, receipts, badge, and one way in for every message.
///
/// It swizzles nothing and is nobody's delegate: the app delegate makes one, keeps it, and forwards what iOS calls it
/// with, one line for each callback. The order at launch:
///
/// ```swift
/// func application(_ application: UIApplication, didFinishLaunchingWithOptions options: …) -> Bool {
///     carillon.onMessage = { [weak self] message in self?.news.add(message) }
///     carillon.onResponse = { [weak self] response in self?.open(response) }
///     UNUserNotificationCenter.current().delegate = self
///     carillon.start(launchOptions: options)
///     …make the window…
///     carillon.appIsReady()
///     return true
/// }
/// ```
@MainActor
public final class Carillon {
    /// Hears of each message once, however many callbacks iOS makes of it: when it wakes the app, when it is shown in
    /// the foreground, when it is found in the list at launch, or when it is tapped, whichever comes first. A wake in
    /// the background lasts until this returns, within 25 seconds.
    public var onMessage: (@MainActor (AppMessage) async -> Void)?

    /// Hears of each thing that the person did with a notification, once, and not before ``appIsReady()``.
    public var onResponse: (@MainActor (MessageResponse) async -> Void)?

    /// Is asked for new content by a silent push that carries no message; answers honestly whether there was any,
    /// within 25 seconds.
    public var onRefresh: (@MainActor (_ userInfo: [String: JSONValue]) async -> UIBackgroundFetchResult)?

    /// Hears of messages that were recalled, or have expired: what the app shows of them itself, in a list or a banner,
    /// should go too.
    public var onRemoval: (@MainActor (_ removed: [RemovedMessage]) -> Void)?

    /// Hears that ``inbox`` has changed.
    public var onInboxChange: (@MainActor () -> Void)?

    /// Hears of the permission at launch and whenever it turns out to have changed.
    public var onPermissionChange: (@MainActor (PermissionState) -> Void)?

    let configuration: CarillonConfiguration
    let clock: any CarillonClock
    let store: CarillonStore
    let service: ServiceClient
    let screen: NotificationCenterClient
    let application: UIApplication
    let interpreter = PushInterpreter()
    let completions: CompletionHandlers
    let tasks = OwnedTasks()
    /// What changes the list of notifications happens one thing after another: a removal never overtakes an addition
    /// that has begun.
    let screenLane = SerialQueue()
    /// One conversation with the service at a time.
    let serviceLane = SerialQueue()

    var router = ResponseRouter()
    var deviceToken: DeviceToken?
    var retry: ScheduledAction?

    /// - Parameters:
    ///   - configuration: how this app uses Carillon.
    ///   - platform: ``AppPlatform/current(appGroup:)``.
    ///   - transport: how to reach the service: `URLSessionTransport(platform: platform)`.
    ///   - center: `UNUserNotificationCenter.current()`.
    ///   - application: `UIApplication.shared`.
    ///   - randomness: `SystemRandomNumberGenerator()`; the installation's secret is drawn from it.
    public init(
        configuration: CarillonConfiguration, platform: AppPlatform, transport: any ServiceTransport,
        center: UNUserNotificationCenter, application: UIApplication,
        randomness: any RandomNumberGenerator & Sendable
    ) {
        self.configuration = configuration
        clock = platform.clock
        store = CarillonStore(directory: platform.directory, randomness: randomness, report: configuration.report)
        service = ServiceClient(url: configuration.service, transport: transport)
        screen = NotificationCenterClient(center: center)
        completions = CompletionHandlers(clock: platform.clock, report: configuration.report)
        self.application = application
    }

    // MARK: Life cycle

    /// To be called from `didFinishLaunchingWithOptions`, after the handlers are set. Asks iOS for the device token,
    /// as Apple wants it at every launch, and gets in step with the service.
    public func start(launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil) {
        if let userInfo = launchOptions?[.remoteNotification] as? [AnyHashable: Any] {
            tasks.start { [self, payload = Self.payload(userInfo)] in await tellApp(ofLaunch: payload) }
        }
        application.registerForRemoteNotifications()
        networkMayBeBack()
        getInStep()
    }

    /// Declares the buttons of the app's notifications. They replace all that were declared before.
    public func setCategories(_ categories: [NotificationCategory]) { screen.setCategories(categories) }

    /// To be called from `applicationWillEnterForeground`, or the scene's method of that name.
    public func willEnterForeground() {
        networkMayBeBack()
        getInStep()
    }

    func getInStep() {
        tasks.start { [self] in await reconcile() }
    }

    /// Something has happened that makes another try worth while, however many have failed.
    func networkMayBeBack() {
        store.update { contents in
            contents.registration.backoff.networkMayBeBack()
            contents.policy.receipts.backoff.networkMayBeBack()
        }
        store.inbox.update { $0.backoff.networkMayBeBack() }
    }

    /// The app's screens are there: what the person did to launch the app is told now.
    public func appIsReady() {
        for response in router.becameReady() {
            tasks.start { [self] in await onResponse?(response) }
        }
    }

    /// Returns when everything that was begun is done; for tests, and for an app that is about to end.
    public func settle() async { await tasks.settle() }

    // MARK: About this installation

    /// What the person allows, as it was read last: at launch, on entering the foreground, after asking. `nil` before.
    public internal(set) var permission: PermissionState?

    /// The installation's id: the device's id at the service.
    public var installation: String { store.identity.installation }

    /// The user to whom the service has bound this installation.
    public var user: String? { store.contents.registration.user }

    /// Whether receipts are written. The default is `true`; `false` also drops those that were not sent yet.
    public var writesReceipts: Bool {
        get { store.contents.policy.writesReceipts }
        set {
            store.update { contents in
                contents.policy.writesReceipts = newValue
                if !newValue { contents.policy.receipts.clear() }
            }
        }
    }

    static func payload(_ userInfo: [AnyHashable: Any]) -> [String: JSONValue] {
        JSONValue(foundation: userInfo)?.objectValue ?? [:]
    }
}
