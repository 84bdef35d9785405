import CarillonCore
import Foundation
import UIKit

/// An app as it is installed: the contents of its Info.plist, its entitlements and its code.
public struct AppBundle: Sendable {
    /// The bundle ID, which is the topic of its pushes.
    public var bundleID: String
    /// The name under the icon.
    public var name: String
    /// The environment of its device token: APNs' sandbox or production (the entitlement `aps-environment`).
    ///
    /// `nil` for an App ID without push notifications, which cannot register, as on iOS.
    public var environment: APNsEnvironment?
    /// `UIBackgroundModes` of Info.plist.
    public var backgroundModes: Set<BackgroundMode>
    /// The entitlements that concern notifications.
    public var entitlements: Set<Entitlement>
    /// The App Groups that the app shares with its extensions.
    public var appGroups: Set<String>
    /// The app's Localizable.strings, for the loc-keys of payloads: format by key, with `%@` and `%1$@`.
    ///
    /// They override the texts of ``resources``.
    public var strings: [String: String]
    /// Whether Info.plist has a scene manifest, so that the scene delegate receives the app's life-cycle events.
    public var usesScenes: Bool
    /// Makes the scene delegate of the manifest, unless `configurationForConnecting` names another.
    public var makeSceneDelegate: (@MainActor @Sendable () -> any UISceneDelegate)?
    /// Makes the app delegate, at every launch.
    ///
    /// It runs as this app on this phone. Statics of the delegate's module outlive the launch.
    public var makeDelegate: @MainActor @Sendable () -> any UIApplicationDelegate
    /// Makes the notification service extension, for every push that it may change; `nil` for an app without one.
    public var makeServiceExtension: (@MainActor @Sendable () -> UNNotificationServiceExtension)?
    /// The notification content extensions; the first that lists a notification's category draws it.
    ///
    /// The default is none.
    public var contentExtensions: [ContentExtension] = []
    /// The entitlement `com.apple.developer.associated-domains`.
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
    /// The default is none.
    public var userActivityTypes: Set<String> = []
    /// `BGTaskSchedulerPermittedIdentifiers`: the tasks that the app may register and submit.
    ///
    /// The default is `nil`: every identifier is allowed.
    public var permittedTaskIdentifiers: Set<String>?
    /// The app's storyboards by file name: `Main` for `Main.storyboard`.
    ///
    /// The default is none.
    public var storyboards: [String: Storyboard] = [:]
    /// `UIMainStoryboardFile` of Info.plist, or `UISceneStoryboardFile` of the scene manifest.
    ///
    /// The phone puts the storyboard's initial view controller into a window, and sets the property `window` of the app's
    /// delegate, or of its scene's, to it. The default is `nil`: the app makes its window.
    public var mainStoryboard: String?
    /// A folder with the files that Xcode copies into the app: Info.plist, `de.lproj/Localizable.strings`, pictures, sounds.
    ///
    /// `Bundle.main` contains them, in the phone's language. The folder may be that of the app's sources: files are found at
    /// any depth, because Xcode copies them flat. String catalogues (`.xcstrings`) are read. In Info.plist, Xcode's variables
    /// such as `$(PRODUCT_BUNDLE_IDENTIFIER)` are replaced. Nibs, storyboards and asset catalogues are not compiled. The
    /// default is `nil`: an app without resources.
    public var resources: URL?
    /// The sound files in the app: the length in seconds, by file name.
    ///
    /// For a push that names a missing file, or one longer than 30 seconds, the phone plays the default sound. The default is
    /// `nil`: the files are not described, and each name is played.
    public var sounds: [String: Double]?

    /// Makes an app from its delegate.
    ///
    /// - Parameters:
    ///   - bundleID: the topic of its pushes.
    ///   - name: the name under the icon.
    ///   - environment: the default is production.
    ///   - backgroundModes: the default is `remote-notification`, so that silent pushes wake the app.
    ///   - entitlements: the default is none.
    ///   - appGroups: the default is none.
    ///   - strings: Localizable.strings; the default is none.
    ///   - usesScenes: whether Info.plist has a scene manifest; the default is `false`.
    ///   - makeSceneDelegate: the scene delegate that the manifest names; the default is none.
    ///   - makeDelegate: called at every launch.
    ///   - makeServiceExtension: called for every push that the extension may change; the default is no extension.
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

    /// Makes an app that starts by its entry point, as on iOS.
    ///
    /// - Parameters:
    ///   - bundleID: the topic of its pushes.
    ///   - name: the name under the icon.
    ///   - environment: the default is production.
    ///   - backgroundModes: the default is `remote-notification`, so that silent pushes wake the app.
    ///   - entitlements: the default is none.
    ///   - appGroups: the default is none.
    ///   - strings: Localizable.strings; the default is none.
    ///   - usesScenes: whether Info.plist has a scene manifest; the default is `false`.
    ///   - makeServiceExtension: called for every push that the extension may change; the default is no extension.
    ///   - main: `{ AppDelegate.main() }` for a delegate marked `@main`, or the body of `main.swift`: `{
    ///     UIApplicationMain(CommandLine.argc, CommandLine.unsafeArgv, nil, NSStringFromClass(AppDelegate.self)) }`.
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
                guard let delegate = UIApplication.shared.delegate else {
                    preconditionFailure(
                        "the entry point of \(bundleID) made no app delegate: it must call main() of a "
                            + "UIApplicationDelegate, or UIApplicationMain")
                }
                return delegate
            }, makeServiceExtension: makeServiceExtension)
    }

    /// A value of `UIBackgroundModes`.
    public enum BackgroundMode: String, Sendable, Hashable, CaseIterable {
        case remoteNotification = "remote-notification"
        case fetch
        /// Pushes for calls, by PushKit.
        case voip
        case processing, audio
    }

    /// An entitlement that concerns notifications; Apple grants some of them only on request.
    public enum Entitlement: String, Sendable, Hashable, CaseIterable {
        case criticalAlerts = "com.apple.developer.usernotifications.critical-alerts"
        case timeSensitive = "com.apple.developer.usernotifications.time-sensitive"
        /// The capability Communication Notifications: a notification shows its sender.
        case communication = "com.apple.developer.usernotifications.communication"
        /// Lets the service extension suppress a notification.
        case filtering = "com.apple.developer.usernotifications.filtering"
    }
}

extension AppBundle {
    /// Returns whether a web page is one of the app's universal links, by ``associatedDomains``.
    ///
    /// Differs from iOS: all paths belong to the app; the web site's list of the app's paths is not fetched.
    func hasUniversalLink(_ url: URL) -> Bool {
        guard ["http", "https"].contains(url.scheme?.lowercased() ?? ""), let host = url.host()?.lowercased() else {
            return false
        }
        return associatedDomains.contains { Self.matches($0.lowercased(), host) }
    }

    /// Compares an entry of the entitlement with a host.
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
        /// Makes each other view controller, by its storyboard ID.
        public var controllers: [String: @MainActor @Sendable () -> UIViewController]

        /// - Parameters:
        ///   - controllers: by storyboard ID; the default is none.
        ///   - makeInitial: makes the initial view controller; the default is none.
        public init(
            controllers: [String: @MainActor @Sendable () -> UIViewController] = [:],
            makeInitial: (@MainActor @Sendable () -> UIViewController)? = nil
        ) {
            self.controllers = controllers
            self.makeInitial = makeInitial
        }
    }

    /// Makes the window of an app, or of a scene, with a main storyboard; returns `nil` without one.
    @MainActor func makeMainWindow(_ window: () -> UIWindow) -> UIWindow? {
        guard let name = mainStoryboard, let makeInitial = storyboards[name]?.makeInitial else { return nil }
        let window = window()
        window.rootViewController = makeInitial()
        return window
    }
}
