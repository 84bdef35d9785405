import CarillonCore
import Foundation
import UIKit
@_spi(Simulation) import UserNotifications

/// An app that a phone can install: the contents of its Info.plist, its entitlements and its code.
public struct AppBundle: Sendable {
    /// The app's bundle ID, which is also the topic of its pushes.
    public var bundleID: String
    /// The app's name, which the phone shows under the icon.
    public var name: String
    /// The APNs environment of the app's device token: sandbox or production (the entitlement `aps-environment`).
    ///
    /// `nil` means that the App ID has no push notifications: the app then cannot register for them, as on iOS.
    public var environment: APNsEnvironment?
    /// The app's background modes: `UIBackgroundModes` of Info.plist.
    public var backgroundModes: Set<BackgroundMode>
    /// The entitlements that concern notifications.
    public var entitlements: Set<Entitlement>
    /// The App Groups that the app shares with its extensions.
    public var appGroups: Set<String>
    /// The app's Localizable.strings, for the localization keys of payloads: format strings by key.
    ///
    /// A format string may contain `%@` and `%1$@`. These strings override the strings in ``resources``.
    public var strings: [String: String]
    /// Whether Info.plist has a scene manifest, so that the scene delegate receives the app's life-cycle events.
    public var usesScenes: Bool
    /// The major version of the iOS SDK with which the app was built.
    ///
    /// The default is 26. From 27 on, an app without a scene manifest [does not
    /// launch](https://developer.apple.com/documentation/uikit/transitioning-to-the-uikit-scene-based-life-cycle): the phone ends
    /// it with ``AppMistake/scenesMissing``.
    public var sdkVersion = 26
    /// Makes the scene delegate that the scene manifest names, unless `configurationForConnecting` names another class.
    public var makeSceneDelegate: (@MainActor @Sendable () -> any UISceneDelegate)?
    /// Makes the app delegate, at every launch.
    ///
    /// In the closure, `UIApplication.shared` is the object of this app. Unlike on iOS, static variables keep their values
    /// across launches.
    public var makeDelegate: @MainActor @Sendable () -> any UIApplicationDelegate
    /// Makes the notification service extension, once for each push that the extension may change; `nil` if there is none.
    public var makeServiceExtension: (@MainActor @Sendable () -> UNNotificationServiceExtension)?
    /// The app's notification content extensions.
    ///
    /// An expanded notification is drawn by the first extension that lists the notification's category. The default is none.
    public var contentExtensions: [ContentExtension] = []
    /// The domains of the app's universal links: the entitlement `com.apple.developer.associated-domains`.
    ///
    /// The entries are `applinks:example.com` or `applinks:*.example.com`. The default is none.
    public var associatedDomains: Set<String> = []
    /// The URL schemes under `CFBundleURLTypes`, in lower case.
    ///
    /// The default is none.
    public var urlSchemes: Set<String> = []
    /// Other apps' URL schemes that the app may pass to `canOpenURL`: `LSApplicationQueriesSchemes`.
    ///
    /// The default is none.
    public var queriedSchemes: Set<String> = []
    /// The activities that the app continues from other devices: `NSUserActivityTypes`.
    ///
    /// An app with communication notifications names `INSendMessageIntent` or `INStartCallIntent` here, too. The default is
    /// none.
    public var userActivityTypes: Set<String> = []
    /// The identifiers of the tasks that the app may register and submit: `BGTaskSchedulerPermittedIdentifiers`.
    ///
    /// The default is `nil`: every identifier is allowed.
    public var permittedTaskIdentifiers: Set<String>?
    /// Whether the app supports Live Activities: `NSSupportsLiveActivities` of Info.plist.
    ///
    /// The default is `false`: the app cannot start any.
    public var supportsLiveActivities = false
    /// Whether pushes may update the app's Live Activities frequently: `NSSupportsLiveActivitiesFrequentUpdates` of Info.plist.
    ///
    /// The default is `false`.
    public var supportsFrequentLiveActivityUpdates = false
    /// The kinds of Live Activity that the app's widget extension shows.
    ///
    /// The default is none: a push can then start only kinds that the app's code has used on this phone.
    public var liveActivities: [LiveActivityLayout] = []
    /// The kinds of widget that the app's widget extension offers.
    ///
    /// The default is none.
    public var widgets: [WidgetLayout] = []
    /// The kinds of control that the app's widget extension offers.
    ///
    /// The default is none.
    public var controls: [ControlLayout] = []
    /// The app's storyboards by file name: `Main` for `Main.storyboard`.
    ///
    /// The default is none.
    public var storyboards: [String: Storyboard] = [:]
    /// The name of the main storyboard: `UIMainStoryboardFile` of Info.plist, or `UISceneStoryboardFile` of the scene manifest.
    ///
    /// The phone puts the storyboard's initial view controller into a window. It assigns the window to the property `window` of
    /// the app delegate or, in an app with scenes, of the scene delegate. The default is `nil`: the app makes its own window.
    public var mainStoryboard: String?
    /// A folder with the files that Xcode copies into the app: Info.plist, `de.lproj/Localizable.strings`, pictures, sounds.
    ///
    /// `Bundle.main` contains these files, in the phone's language. The folder may be the app's source folder: the phone finds
    /// files at any depth, because Xcode copies them flat. It reads string catalogues (`.xcstrings`), and replaces Xcode's
    /// variables in Info.plist, such as `$(PRODUCT_BUNDLE_IDENTIFIER)`. It does not compile nibs, storyboards and asset
    /// catalogues. The default is `nil`: an app without resources.
    public var resources: URL?
    /// The lengths of the app's sound files in seconds, by file name.
    ///
    /// For a push that names a missing file, or a file longer than 30 seconds, the phone plays the default sound. The default
    /// is `nil`: the phone does not check the files, and plays every name.
    public var sounds: [String: Double]?

    /// Makes an app from a closure that makes its app delegate.
    ///
    /// - Parameters:
    ///   - bundleID: the app's bundle ID, which is also the topic of its pushes.
    ///   - name: the name under the icon.
    ///   - environment: the APNs environment of the app's device token; the default is production.
    ///   - backgroundModes: the default is `remote-notification`, so that silent pushes wake the app.
    ///   - entitlements: the default is none.
    ///   - appGroups: the default is none.
    ///   - strings: Localizable.strings; the default is none.
    ///   - usesScenes: whether Info.plist has a scene manifest; the default is `false`.
    ///   - makeSceneDelegate: makes the scene delegate that the manifest names; the default is none.
    ///   - makeDelegate: makes the app delegate; called at every launch.
    ///   - makeServiceExtension: makes the service extension, once for each push that it may change; the default is no
    ///     extension.
    public init(
        bundleID: String, name: String, environment: APNsEnvironment? = .production,
        backgroundModes: Set<BackgroundMode> = [.remoteNotification], entitlements: Set<Entitlement> = [],
        appGroups: Set<String> = [], strings: [String: String] = [:], usesScenes: Bool = false,
        makeSceneDelegate: (@MainActor @Sendable () -> any UISceneDelegate)? = nil,
        makeDelegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate,
        makeServiceExtension: (@MainActor @Sendable () -> UNNotificationServiceExtension)? = nil
    ) {
        self.bundleID = bundleID
        self.name = name
        self.environment = environment
        self.backgroundModes = backgroundModes
        self.entitlements = entitlements
        self.appGroups = appGroups
        self.strings = strings
        self.usesScenes = usesScenes
        self.makeSceneDelegate = makeSceneDelegate
        self.makeDelegate = makeDelegate
        self.makeServiceExtension = makeServiceExtension
    }

    /// Makes an app that starts through its entry point, as on iOS.
    ///
    /// - Parameters:
    ///   - bundleID: the app's bundle ID, which is also the topic of its pushes.
    ///   - name: the name under the icon.
    ///   - environment: the APNs environment of the app's device token; the default is production.
    ///   - backgroundModes: the default is `remote-notification`, so that silent pushes wake the app.
    ///   - entitlements: the default is none.
    ///   - appGroups: the default is none.
    ///   - strings: Localizable.strings; the default is none.
    ///   - usesScenes: whether Info.plist has a scene manifest; the default is `false`.
    ///   - makeServiceExtension: makes the service extension, once for each push that it may change; the default is no
    ///     extension.
    ///   - main: the entry point: `{ AppDelegate.main() }` for a delegate marked `@main`, or the body of `main.swift`, such as
    ///     `{ UIApplicationMain(CommandLine.argc, CommandLine.unsafeArgv, nil, NSStringFromClass(AppDelegate.self)) }`.
    public init(
        bundleID: String, name: String, environment: APNsEnvironment? = .production,
        backgroundModes: Set<BackgroundMode> = [.remoteNotification], entitlements: Set<Entitlement> = [],
        appGroups: Set<String> = [], strings: [String: String] = [:], usesScenes: Bool = false,
        makeServiceExtension: (@MainActor @Sendable () -> UNNotificationServiceExtension)? = nil,
        main: @escaping @MainActor @Sendable () -> Void
    ) {
        self.init(
            bundleID: bundleID, name: name, environment: environment, backgroundModes: backgroundModes,
            entitlements: entitlements, appGroups: appGroups, strings: strings, usesScenes: usesScenes,
            makeDelegate: {
                main()
                if let delegate = UIApplication.shared.delegate { return delegate }
                // A second report of the mistake has no effect.
                SimulatedDevices.hasMade(mistake: AppMistake.entryPointWithoutDelegate.rawValue, bundleID)
                return AbsentDelegate()
            }, makeServiceExtension: makeServiceExtension)
    }

    /// A value of `UIBackgroundModes`.
    public enum BackgroundMode: String, Sendable, Hashable, CaseIterable {
        case remoteNotification = "remote-notification"
        case fetch
        /// The background mode for VoIP pushes, which arrive through PushKit.
        case voip
        case processing, audio
    }

    /// An entitlement that concerns notifications; Apple grants some entitlements only on request.
    public enum Entitlement: String, Sendable, Hashable, CaseIterable {
        case criticalAlerts = "com.apple.developer.usernotifications.critical-alerts"
        case timeSensitive = "com.apple.developer.usernotifications.time-sensitive"
        /// The entitlement of the capability Communication Notifications, with which a notification shows its sender.
        case communication = "com.apple.developer.usernotifications.communication"
        /// The entitlement that allows the service extension to suppress a notification.
        case filtering = "com.apple.developer.usernotifications.filtering"
    }
}

/// Stands for the delegate that an app's entry point has not made; the app has ended.
private final class AbsentDelegate: UIResponder, UIApplicationDelegate {}

extension AppBundle {
    /// Returns whether a URL is one of the app's universal links, according to ``associatedDomains``.
    ///
    /// Differs from iOS: every path of a domain belongs to the app, because the phone does not fetch the web site's list of
    /// paths.
    func hasUniversalLink(_ url: URL) -> Bool {
        guard ["http", "https"].contains(url.scheme?.lowercased() ?? ""), let host = url.host()?.lowercased() else {
            return false
        }
        return associatedDomains.contains { Self.matches($0.lowercased(), host) }
    }

    /// Compares an entry of ``associatedDomains`` with a host.
    ///
    /// - Parameters:
    ///   - entry: `applinks:example.com` or `applinks:*.example.com`, with or without `?mode=developer`.
    ///   - host: in lower case.
    /// - Returns: whether the entry matches the host.
    private static func matches(_ entry: String, _ host: String) -> Bool {
        let service = "applinks:"
        guard entry.hasPrefix(service) else { return false }
        let domain = entry.dropFirst(service.count).prefix { $0 != "?" && $0 != ":" }
        return domain.hasPrefix("*.") ? host.hasSuffix(domain.dropFirst()) : host == domain
    }
}

extension AppBundle {
    /// A replacement for a storyboard file: closures that make its view controllers.
    public struct Storyboard: Sendable {
        /// Makes the initial view controller; `nil` for a storyboard without one.
        public var makeInitial: (@MainActor @Sendable () -> UIViewController)?
        /// The closures that make the storyboard's other view controllers, by storyboard ID.
        public var controllers: [String: @MainActor @Sendable () -> UIViewController]

        /// Makes a replacement for a storyboard file.
        ///
        /// - Parameters:
        ///   - controllers: closures that make the storyboard's other view controllers, by storyboard ID; the default is none.
        ///   - makeInitial: makes the initial view controller; the default is none.
        public init(
            controllers: [String: @MainActor @Sendable () -> UIViewController] = [:],
            makeInitial: (@MainActor @Sendable () -> UIViewController)? = nil
        ) {
            self.controllers = controllers
            self.makeInitial = makeInitial
        }
    }

    /// Makes the window of an app or scene that has a main storyboard; returns `nil` if there is no main storyboard.
    @MainActor func makeMainWindow(_ window: () -> UIWindow) -> UIWindow? {
        guard let name = mainStoryboard, let makeInitial = storyboards[name]?.makeInitial else { return nil }
        let window = window()
        window.rootViewController = makeInitial()
        return window
    }
}
