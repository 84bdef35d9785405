import CarillonApp
import CarillonCore
import CarillonMessaging
import Foundation

/// What differs between Chime in the App Store, on a developer's phone, and in a test.
nonisolated public struct ChimeConfiguration: Sendable {
    /// Where the Carillon service answers.
    public var service: URL
    /// The bundle id under which the app is signed.
    public var topic: String
    /// The APNs environment: `sandbox` for builds from Xcode.
    public var environment: APNsEnvironment
    /// Whether recalls are carried out; switched off to show what a phone without Carillon does.
    public var recall: CarillonConfiguration.Recall
    /// Where the list of podcasts comes from.
    public var podcastFeed: PodcastFeed
    /// Asks Chime's own backend for a token that says who is signed in; `nil` when nobody signs in.
    public var signInToken: (@Sendable () async throws -> String)?
    /// How the service is reached.
    public var transport: @Sendable (AppPlatform) -> any ServiceTransport
    /// Receives what a developer should know, on any thread.
    public var report: @Sendable (CarillonEvent) -> Void

    /// Makes a configuration; only where the service is must be said.
    ///
    /// - Parameters:
    ///   - service: where the Carillon service answers.
    ///   - topic: the bundle id; the default is `com.example.chime`.
    ///   - environment: the default is `sandbox`.
    ///   - recall: the default is that recalls are carried out.
    ///   - podcastFeed: the default always lists the same episodes.
    ///   - transport: the default is `URLSession`.
    ///   - report: the default does nothing.
    ///   - signInToken: the default is that nobody signs in.
    public init(
        service: URL, topic: String = "com.example.chime", environment: APNsEnvironment = .sandbox,
        recall: CarillonConfiguration.Recall = .enabled,
        podcastFeed: PodcastFeed = .archive,
        transport: @escaping @Sendable (AppPlatform) -> any ServiceTransport = { URLSessionTransport(platform: $0) },
        report: @escaping @Sendable (CarillonEvent) -> Void = { _ in },
        signInToken: (@Sendable () async throws -> String)? = nil
    ) {
        self.service = service
        self.topic = topic
        self.environment = environment
        self.recall = recall
        self.podcastFeed = podcastFeed
        self.transport = transport
        self.report = report
        self.signInToken = signInToken
    }

    /// The service that `make up` starts on this machine.
    public static let local = ChimeConfiguration(service: localService)

    private static let localService: URL = {
        guard let url = URL(string: "http://127.0.0.1:8080") else { preconditionFailure("a constant URL is valid") }
        return url
    }()

    /// The App Group that the app shares with its notification service extension.
    public static let appGroup = "group.com.example.chime"

    var carillon: CarillonConfiguration {
        CarillonConfiguration(
            service: service, topic: topic, environment: environment,
            signInToken: { [signInToken] in try await signInToken?() }, appVersion: "1.0", recall: recall,
            fetchesInbox: true, report: report)
    }
}
