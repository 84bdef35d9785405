import CarillonCore
import UIKit

/// An app as it is installed: what its Info.plist, its entitlements and its code say.
public struct AppBundle: Sendable {
    /// The bundle id, which is the topic of its pushes.
    public var bundleID: String
    /// The name under the icon.
    public var name: String
    /// Which of Apple's two worlds its device token belongs to.
    public var environment: APNsEnvironment
    public var backgroundModes: Set<BackgroundMode>
    public var entitlements: Set<Entitlement>
    /// The App Groups whose folders app and extension share.
    public var appGroups: Set<String>
    /// The app's Localizable.strings: format by key, with `%@` and `%1$@`.
    public var strings: [String: String]
    /// Info.plist has a scene manifest: the app's life is told to its scene delegate.
    public var usesScenes: Bool
    /// The scene delegate of the manifest; one that `configurationForConnecting` names wins.
    public var makeSceneDelegate: (@MainActor @Sendable () -> any UISceneDelegate)?
    /// Called for every launch, as this app on this phone; statics of the delegate's module outlive it.
    public var makeDelegate: @MainActor @Sendable () -> any UIApplicationDelegate
    /// Called for every push that the extension may change.
    public var makeServiceExtension: (@MainActor @Sendable () -> UNNotificationServiceExtension)?
    /// What is drawn when a notification is expanded; the first that knows its category. The default is none.
    public var contentExtensions: [ContentExtension] = []
    /// The entitlement `com.apple.developer.associated-domains`: `applinks:example.com`, `applinks:*.example.com`. The
    /// default is none.
    public var associatedDomains: Set<String> = []
    /// The schemes under `CFBundleURLTypes`, in lower case. The default is none.
    public var urlSchemes: Set<String> = []
    /// `LSApplicationQueriesSchemes`: other apps' schemes that `canOpenURL` tells this one of. The default is none.
    public var queriedSchemes: Set<String> = []
    /// `NSUserActivityTypes`: what the app goes on with from other devices. The default is none.
    public var userActivityTypes: Set<String> = []

    public init(
        bundleID: String, name: String, environment: APNsEnvironment = .production,
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

    /// An app that is started as iOS starts it, by its entry point.
    ///
    /// - Parameter main: `{ AppDelegate.main() }` for a delegate marked `@main`, or what `main.swift` does:
    ///   `{ UIApplicationMain(CommandLine.argc, CommandLine.unsafeArgv, nil, NSStringFromClass(AppDelegate.self)) }`.
    public init(
        bundleID: String, name: String, environment: APNsEnvironment = .production,
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
    }

    /// What Apple has to grant, as far as notifications are concerned.
    public enum Entitlement: String, Sendable, Hashable, CaseIterable {
        case criticalAlerts = "com.apple.developer.usernotifications.critical-alerts"
        case timeSensitive = "com.apple.developer.usernotifications.time-sensitive"
        /// Shows who speaks: the capability Communication Notifications.
        case communication = "com.apple.developer.usernotifications.communication"
        /// Lets the service extension suppress a notification.
        case filtering = "com.apple.developer.usernotifications.filtering"
    }
}
