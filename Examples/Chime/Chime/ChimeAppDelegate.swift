import CarillonApp
import CarillonBanner
import UIKit
import UserNotifications

/// The app delegate of Chime, an app with podcasts and breaking news; everything about push goes through ``carillon``.
///
/// It exists from launch to end, even if iOS wakes the app without showing it. The window belongs to ``ChimeSceneDelegate``.
public final class ChimeAppDelegate: UIResponder, UIApplicationDelegate {
    /// Carillon; `nil` before launch.
    public private(set) var carillon: Carillon?
    /// Chime's own banners, for people who do not allow notifications; `nil` before launch.
    public private(set) var banner: BannerPresenter?
    /// The news that the second tab lists.
    public let news = NewsStore()
    /// The podcasts that the first tab lists.
    public private(set) lazy var podcasts = PodcastStore(feed: configuration.podcastFeed.fetch)
    /// The device token in hexadecimal; `nil` before iOS has given one.
    public internal(set) var deviceToken: String? { didSet { screens.refresh() } }
    /// The texts that the person has written into notifications, oldest first.
    public internal(set) var replies: [String] = []

    private(set) lazy var screens = ChimeScreens(news: news, podcasts: podcasts, push: { [weak self] in self?.facts })
    private var configuration = ChimeConfiguration.local

    /// Makes a Chime for a test or another backend; without arguments it uses the service on this machine.
    ///
    /// - Parameter configuration: the service's address and other settings.
    public convenience init(configuration: ChimeConfiguration) {
        self.init()
        self.configuration = configuration
    }

    /// Launches Chime, in four steps.
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        // 1. Become the center's delegate before launching ends, or a tap that launched the app is lost.
        UNUserNotificationCenter.current().delegate = self

        // 2. Make Carillon and set its handlers.
        let carillon = configuration.makeCarillon(configuration.carillon)
        self.carillon = carillon
        banner = BannerPresenter(application: application)
        listen(to: carillon)
        carillon.setNotificationCategories(ChimeCategory.all)
        if #available(iOS 17.2, *) { registerLiveActivities(with: carillon) }

        // 3. Start it: it requests the device token, and synchronises with the service.
        carillon.start(launchOptions: launchOptions)
        news.merge(carillon.inbox)  // what it has kept is there without a network too
        if configuration.signInToken != nil, carillon.user == nil { carillon.signIn() }

        // 4. Ask for permission, and fetch the first podcasts.
        Task {
            await carillon.requestAuthorization()
            _ = try? await podcasts.refresh()
        }
        return true
    }

    /// Chooses the scene delegate. iOS calls this when the person opens the app, and not when a push wakes it.
    public func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configuration = UISceneConfiguration(name: nil, sessionRole: connectingSceneSession.role)
        configuration.delegateClass = ChimeSceneDelegate.self
        return configuration
    }

    /// The contents of the third tab.
    private var facts: PushFacts {
        PushFacts(permission: carillon?.authorizationStatus, deviceToken: deviceToken, refresh: podcasts.lastRefresh)
    }
}
