import CarillonCore
import CarillonMessaging
import Foundation
import UserNotifications

#if canImport(FoundationNetworking)  // On Linux, URLSession is a module of its own.
    import FoundationNetworking
#endif

extension Carillon {
    /// The app's settings for Carillon; only the service's address is required.
    public struct Configuration: Sendable {
        /// The address of the Carillon service, without `/v1`: `https://push.example.com`.
        public var service: URL
        /// Fetches a short-lived token, signed by your backend, for the signed-in user; returns `nil` if nobody is signed in.
        ///
        /// The SDK calls the closure only when the service needs a token: after ``Carillon/signIn()``, and once for each new
        /// installation. A new installation may have been restored from a backup, with a signed-in user. Fetch a new token each
        /// time: a token is valid for at most ten minutes.
        ///
        /// If the closure throws an error or does not return within 15 seconds, the SDK calls it again later. The closure may
        /// call the SDK, also ``Carillon/signOut()``. The default returns `nil`: the installation belongs to no user.
        public var signInToken: @Sendable () async throws -> String?
        /// Whether the app removes messages that were recalled or were read elsewhere.
        ///
        /// With `false` the app ignores removals, as if it did not contain this SDK, for example to show the difference. A
        /// notification service extension with the SDK still removes recalled messages.
        ///
        /// The default is `true`.
        public var carriesOutRecalls: Bool
        /// Whether the SDK fetches ``Carillon/inbox`` from the service.
        ///
        /// The default is `false`.
        public var fetchesInbox: Bool
        /// The presentation of a notification that arrives in the foreground.
        ///
        /// The default is banner, list, sound and badge.
        public var presentationOptions: UNNotificationPresentationOptions
        /// The configuration of the `URLSession` that sends requests to the service, for example with a proxy or with a test's
        /// protocol classes.
        ///
        /// The SDK overrides the timeout, cookie and cache settings. The default is `URLSessionConfiguration.ephemeral`.
        public var urlSession: URLSessionConfiguration
        /// Receives events for the developer, on any thread.
        ///
        /// The default logs them.
        public var report: @Sendable (Event) -> Void
        /// The app's bundle id, which is also its APNs topic.
        package var topic: String
        /// The APNs environment of the device tokens: `sandbox` for builds from Xcode, else `production`.
        package var environment: APNsEnvironment
        /// The app's version, for the service's list of devices; `nil` if the app has no version.
        package var appVersion: String?

        /// Makes a configuration.
        ///
        /// The bundle id, the app's version and the APNs environment come from the running app's bundle.
        ///
        /// - Parameters:
        ///   - service: the address of the Carillon service, without `/v1`.
        ///   - signInToken: fetches a sign-in token from your backend; the default returns `nil`.
        ///   - carriesOutRecalls: whether the app removes messages that were recalled or were read elsewhere; the default is
        ///     `true`.
        ///   - fetchesInbox: whether the SDK fetches the inbox from the service; the default is `false`.
        ///   - presentationOptions: the presentation of a notification in the foreground; the default is banner, list, sound and
        ///     badge.
        ///   - urlSession: the configuration of the `URLSession` that sends requests to the service; the default is
        ///     `URLSessionConfiguration.ephemeral`.
        ///   - report: receives events for the developer; the default logs them.
        public init(
            service: URL, signInToken: @escaping @Sendable () async throws -> String? = { nil },
            carriesOutRecalls: Bool = true, fetchesInbox: Bool = false,
            presentationOptions: UNNotificationPresentationOptions = [.banner, .list, .sound, .badge],
            urlSession: URLSessionConfiguration = .ephemeral,
            report: @escaping @Sendable (Event) -> Void = { Event.log($0) }
        ) {
            self.service = service
            self.signInToken = signInToken
            self.carriesOutRecalls = carriesOutRecalls
            self.fetchesInbox = fetchesInbox
            self.presentationOptions = presentationOptions
            self.urlSession = urlSession
            self.report = report
            let bundle = BundleFacts.current
            topic = bundle.identifier ?? ""
            environment = bundle.environment ?? .production
            appVersion = bundle.version
        }

        /// Returns the mistakes in this configuration for an app with the bundle `bundle`.
        package func mistakes(in bundle: BundleFacts) -> [Event] {
            var mistakes: [Event] = []
            if topic.isEmpty { mistakes.append(.topicIsMissing) }
            if let signed = bundle.environment, signed != environment {
                mistakes.append(.environmentIsWrong(said: environment, signed: signed))
            }
            return mistakes
        }
    }
}

extension Carillon.Configuration {
    /// Makes a configuration with an explicit topic and APNs environment instead of the running bundle's, for tests.
    package init(
        service: URL, topic: String, environment: APNsEnvironment,
        signInToken: @escaping @Sendable () async throws -> String? = { nil }, appVersion: String? = nil,
        carriesOutRecalls: Bool = true, fetchesInbox: Bool = false,
        report: @escaping @Sendable (CarillonEvent) -> Void = { CarillonEvent.log($0) }
    ) {
        self.init(
            service: service, signInToken: signInToken, carriesOutRecalls: carriesOutRecalls,
            fetchesInbox: fetchesInbox, report: report)
        self.topic = topic
        self.environment = environment
        if let appVersion { self.appVersion = appVersion }
    }
}
