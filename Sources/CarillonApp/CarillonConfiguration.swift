import CarillonCore
import Foundation

/// How an app uses Carillon. Everything has a meaning and a consequence; nothing is read from `Info.plist`.
public struct CarillonConfiguration: Sendable {
    /// Whether the app carries out recalls.
    public enum Recall: Sendable, Hashable {
        case enabled
        /// Removals are ignored, as in an app without this SDK; for comparison.
        case disabled
    }

    /// Where the Carillon service answers, without `/v1`: `https://push.example.com`.
    public var service: URL
    /// The app's bundle id.
    public var topic: String
    /// Which of Apple's two worlds the device tokens belong to: `sandbox` for builds from Xcode, else `production`.
    public var environment: APNsEnvironment
    /// Gives a short-lived token, signed by your backend, that says who is signed in; `nil` means nobody is. Asked
    /// only when the service is about to need it. The default knows nobody: the installation stays unbound.
    public var signInToken: @Sendable () async throws -> String?
    /// Tells people's phones apart for `where` audiences. The default is none; at most 100 are sent.
    public var tags: [String]
    /// Shown in the service's list of devices. The default is none.
    public var appVersion: String?
    /// The default is `.enabled`.
    public var recall: Recall
    /// Whether ``Carillon/inbox`` is fetched from the service. The default is `false`.
    public var fetchesInbox: Bool
    /// What a notification that arrives in the foreground looks like. The default is banner, list, sound and badge.
    public var foregroundPresentation: ForegroundPresentation
    /// Hears of what a developer should know; called on any thread. The default drops it.
    public var report: @Sendable (CarillonEvent) -> Void

    /// The parts of a notification that are shown while the app is in the foreground.
    public struct ForegroundPresentation: OptionSet, Sendable, Hashable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let banner = Self(rawValue: 1)
        public static let list = Self(rawValue: 2)
        public static let sound = Self(rawValue: 4)
        public static let badge = Self(rawValue: 8)
        public static let everything: Self = [.banner, .list, .sound, .badge]
    }

    public init(
        service: URL, topic: String, environment: APNsEnvironment,
        signInToken: @escaping @Sendable () async throws -> String? = { nil }, tags: [String] = [],
        appVersion: String? = nil, recall: Recall = .enabled, fetchesInbox: Bool = false,
        foregroundPresentation: ForegroundPresentation = .everything,
        report: @escaping @Sendable (CarillonEvent) -> Void = { _ in }
    ) {
        self.service = service
        self.topic = topic
        self.environment = environment
        self.signInToken = signInToken
        self.tags = Array(tags.prefix(Self.tagCountLimit))
        self.appVersion = appVersion
        self.recall = recall
        self.fetchesInbox = fetchesInbox
        self.foregroundPresentation = foregroundPresentation
        self.report = report
    }

    static let tagCountLimit = 100
}
