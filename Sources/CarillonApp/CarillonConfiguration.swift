import CarillonCore
import CarillonMessaging
import Foundation

/// How an app uses Carillon; only where the service is must be said.
public struct CarillonConfiguration: Sendable {
    /// Whether the app carries out recalls.
    public enum Recall: Sendable, Hashable {
        /// Removals are carried out.
        case enabled
        /// Removals are ignored, as in an app without this SDK; for comparison.
        case disabled
    }

    /// Where the Carillon service answers, without `/v1`: `https://push.example.com`.
    public var service: URL
    /// The app's bundle id, which is its APNs topic.
    public var topic: String
    /// The APNs environment of the device tokens: `sandbox` for builds from Xcode, else `production`.
    public var environment: APNsEnvironment
    /// Fetches a short-lived token, signed by your backend, that says who is signed in; `nil` when nobody is.
    ///
    /// Called only when the service is about to need a token, which is valid for at most ten minutes: fetch a new one
    /// each time. What it throws counts as a failed request and is tried again later. The default returns `nil`: the
    /// installation belongs to no user.
    public var signInToken: @Sendable () async throws -> String?
    /// Words that the audience expressions of a `where` can test for.
    ///
    /// The default is none. The initializer keeps the first 100.
    public var tags: [String]
    /// The app's version, for the service's list of devices; `nil`, the default, for none.
    public var appVersion: String?
    /// Whether recalls are carried out.
    ///
    /// The default is ``Recall/enabled``.
    public var recall: Recall
    /// Whether ``Carillon/inbox`` is fetched from the service.
    ///
    /// The default is `false`.
    public var fetchesInbox: Bool
    /// How a notification that arrives in the foreground is shown.
    ///
    /// The default is ``ForegroundPresentation/everything``.
    public var foregroundPresentation: ForegroundPresentation
    /// Receives what a developer should know of, on any thread.
    ///
    /// The default is ``CarillonEvent/log(_:)``.
    public var report: @Sendable (CarillonEvent) -> Void

    /// The parts of a notification that are shown while the app is in the foreground.
    ///
    /// They are those of Apple's
    /// [UNNotificationPresentationOptions](https://developer.apple.com/documentation/usernotifications/unnotificationpresentationoptions).
    public struct ForegroundPresentation: OptionSet, Sendable, Hashable {
        /// The options as a bit mask.
        public let rawValue: Int

        /// Makes options from a bit mask.
        ///
        /// - Parameter rawValue: the sum of the raw values of the options.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The banner at the top of the screen.
        public static let banner = Self(rawValue: 1)
        /// The entry in Notification Center.
        public static let list = Self(rawValue: 2)
        /// The sound.
        public static let sound = Self(rawValue: 4)
        /// The number on the app's icon.
        public static let badge = Self(rawValue: 8)
        /// Banner, list, sound and badge.
        public static let everything: Self = [.banner, .list, .sound, .badge]
    }

    /// Makes a configuration; only where the service is must be said.
    ///
    /// - Parameters:
    ///   - service: where the Carillon service answers, without `/v1`.
    ///   - topic: the app's bundle id; the default is that of the app that is running, on a simulated phone too.
    ///   - environment: the default is that of the profile with which the app was signed: `sandbox` for builds from Xcode,
    ///     else `production`. On a simulated phone it is that of the app's bundle there.
    ///   - signInToken: fetches a sign-in token from your backend; the default returns `nil`.
    ///   - tags: words that audiences can test for, of which the first 32 count; the default is none.
    ///   - appVersion: the default is `CFBundleShortVersionString`, if there is one.
    ///   - recall: the default is ``Recall/enabled``.
    ///   - fetchesInbox: the default is `false`.
    ///   - foregroundPresentation: the default is ``ForegroundPresentation/everything``.
    ///   - report: receives events for the developer; the default is ``CarillonEvent/log(_:)``.
    public init(
        service: URL, topic: String? = nil, environment: APNsEnvironment? = nil,
        signInToken: @escaping @Sendable () async throws -> String? = { nil }, tags: [String] = [],
        appVersion: String? = nil, recall: Recall = .enabled, fetchesInbox: Bool = false,
        foregroundPresentation: ForegroundPresentation = .everything,
        report: @escaping @Sendable (CarillonEvent) -> Void = { CarillonEvent.log($0) }
    ) {
        let bundle = BundleFacts.current
        self.service = service
        self.topic = topic ?? bundle.identifier ?? ""
        self.environment = environment ?? bundle.environment ?? .production
        self.signInToken = signInToken
        self.tags = Array(tags.prefix(AppLimits.tagsPerDevice))
        self.appVersion = appVersion ?? bundle.version
        self.recall = recall
        self.fetchesInbox = fetchesInbox
        self.foregroundPresentation = foregroundPresentation
        self.report = report
    }

    /// What cannot be right about this configuration in an app with such a bundle.
    package func mistakes(in bundle: BundleFacts) -> [CarillonEvent] {
        var mistakes: [CarillonEvent] = []
        if topic.isEmpty { mistakes.append(.topicIsMissing) }
        if let signed = bundle.environment, signed != environment {
            mistakes.append(.environmentIsWrong(said: environment, signed: signed))
        }
        return mistakes
    }
}
