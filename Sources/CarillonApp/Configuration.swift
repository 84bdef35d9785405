import CarillonCore
import CarillonMessaging
import Foundation
import UserNotifications

#if canImport(FoundationNetworking)  // On Linux, URLSession is a module of its own.
    import FoundationNetworking
#endif

extension Carillon {
    /// How an app uses Carillon; only where the service is must be said.
    public struct Configuration: Sendable {
        /// Where the Carillon service answers, without `/v1`: `https://push.example.com`.
        public var service: URL
        /// Fetches a short-lived token, signed by your backend, that says who is signed in; `nil` when nobody is.
        ///
        /// Called only when the service is about to need a token, which is valid for at most ten minutes: fetch a new one
        /// each time. That is after ``Carillon/signIn()``, and once when an installation is new: a phone that was set up from
        /// a backup does not know who is signed in, so the app is asked. An error that it throws, or 15 seconds without an
        /// answer, count as a failed request, which is tried again later. It may call the SDK, ``Carillon/signOut()`` too. The
        /// default returns `nil`: the installation belongs to no user.
        public var signInToken: @Sendable () async throws -> String?
        /// Whether the app carries out recalls; `false` ignores removals, as an app without this SDK does, for comparison.
        ///
        /// The default is `true`.
        public var carriesOutRecalls: Bool
        /// Whether ``Carillon/inbox`` is fetched from the service.
        ///
        /// The default is `false`.
        public var fetchesInbox: Bool
        /// How a notification that arrives in the foreground is shown.
        ///
        /// The default is banner, list, sound and badge.
        public var presentationOptions: UNNotificationPresentationOptions
        /// How requests reach the service: proxies, for instance, and protocol classes of a test.
        ///
        /// Timeout, cookies and cache are set by the SDK. The default is `URLSessionConfiguration.ephemeral`.
        public var urlSession: URLSessionConfiguration
        /// Receives what a developer should know of, on any thread.
        ///
        /// The default logs it.
        public var report: @Sendable (Event) -> Void
        /// The app's bundle id, which is its APNs topic.
        package var topic: String
        /// The APNs environment of the device tokens: `sandbox` for builds from Xcode, else `production`.
        package var environment: APNsEnvironment
        /// The app's version, for the service's list of devices; `nil` for none.
        package var appVersion: String?

        /// Makes a configuration; bundle id, version and APNs environment are those of the app that is running.
        ///
        /// - Parameters:
        ///   - service: where the Carillon service answers, without `/v1`.
        ///   - signInToken: fetches a sign-in token from your backend; the default returns `nil`.
        ///   - carriesOutRecalls: the default is `true`.
        ///   - fetchesInbox: the default is `false`.
        ///   - presentationOptions: the default is banner, list, sound and badge.
        ///   - urlSession: the default is `URLSessionConfiguration.ephemeral`.
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

        /// Finds mistakes in this configuration for an app with such a bundle.
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
    /// Makes a configuration for an app whose bundle is not the one that is running, as in a test.
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
