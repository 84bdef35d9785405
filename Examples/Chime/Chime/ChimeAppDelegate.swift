import CarillonApp
import CarillonBanner
import UIKit
import UserNotifications

/// The app delegate of Chime, an app with podcasts and breaking news; everything about push goes through ``carillon``.
///
/// It lives from launch to end, also where iOS wakes the app and there is nothing to see. The window is that of
/// ``ChimeSceneDelegate``.
public final class ChimeAppDelegate: UIResponder, UIApplicationDelegate {
    /// Carillon; `nil` before launch.
    public private(set) var carillon: Carillon?
    /// Chime's own banners, for people who do not allow notifications; `nil` before launch.
    public private(set) var banner: BannerPresenter?
    /// The news that the second tab lists.
    public let news = NewsStore()
    /// The podcasts that the first tab lists.
    public private(set) lazy var podcasts = PodcastStore(feed: configuration.podcastFeed.fetch)
    /// The device token, in hexadecimal, as the tutorial prints it; `nil` before iOS has given one.
    public internal(set) var deviceToken: String? { didSet { screens.refresh() } }
    /// The texts that the person has written into notifications, oldest first.
    public internal(set) var replies: [String] = []

    private(set) lazy var screens = ChimeScreens(news: news, podcasts: podcasts, push: { [weak self] in self?.facts })
    private var configuration = ChimeConfiguration.local

    /// Makes a Chime for a test or another backend; without arguments it uses the service on this machine.
    ///
    /// - Parameter configuration: where the service is, and who hears of what.
    public convenience init(configuration: ChimeConfiguration) {
        self.init()
        self.configuration = configuration
    }

    /// Launches Chime, in four steps.
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        // 1. Be the center's delegate before launching is over: a tap that launched the app is lost otherwise.
        UNUserNotificationCenter.current().delegate = self

        // 2. Make Carillon and say who hears of what.
        let carillon = configuration.makeCarillon(configuration.carillon)
        self.carillon = carillon
        banner = BannerPresenter(application: application)
        listen(to: carillon)
        carillon.setNotificationCategories(ChimeCategory.all)

        // 3. Start it: it asks for the device token, and gets in step with the service.
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

    /// Says who shows Chime. iOS asks when the person opens the app, and not when a push wakes it.
    public func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configuration = UISceneConfiguration(name: nil, sessionRole: connectingSceneSession.role)
        configuration.delegateClass = ChimeSceneDelegate.self
        return configuration
    }

    /// What the third tab shows.
    private var facts: PushFacts {
        PushFacts(permission: carillon?.authorizationStatus, deviceToken: deviceToken, refresh: podcasts.lastRefresh)
    }
}
