import CarillonApp
import Foundation

/// The settings that differ between Chime in the App Store, on a developer's phone, and in a test.
nonisolated public struct ChimeConfiguration: Sendable {
    /// The address of the Carillon service.
    public var service: URL
    /// Whether recalls are carried out; `false` shows the behaviour of a phone without Carillon.
    public var carriesOutRecalls: Bool
    /// The source of the list of podcasts.
    public var podcastFeed: PodcastFeed
    /// Asks Chime's own backend for a token that names the signed-in user; `nil` if nobody signs in.
    public var signInToken: (@Sendable () async throws -> String)?
    /// Makes Carillon at launch; a test may replace it.
    public var makeCarillon: @MainActor @Sendable (Carillon.Configuration) -> Carillon = {
        Carillon(configuration: $0, appGroup: appGroup)
    }
    /// Receives events for the developer, on any thread.
    public var report: @Sendable (Carillon.Event) -> Void

    /// Makes a configuration; only the service's address is required.
    ///
    /// - Parameters:
    ///   - service: the address of the Carillon service.
    ///   - carriesOutRecalls: the default is `true`.
    ///   - podcastFeed: the default always lists the same episodes.
    ///   - report: the default does nothing.
    ///   - signInToken: by default nobody signs in.
    public init(
        service: URL, carriesOutRecalls: Bool = true,
        podcastFeed: PodcastFeed = .archive,
        report: @escaping @Sendable (Carillon.Event) -> Void = { _ in },
        signInToken: (@Sendable () async throws -> String)? = nil
    ) {
        self.service = service
        self.carriesOutRecalls = carriesOutRecalls
        self.podcastFeed = podcastFeed
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

    var carillon: Carillon.Configuration {
        Carillon.Configuration(
            service: service, signInToken: { [signInToken] in try await signInToken?() },
            carriesOutRecalls: carriesOutRecalls, fetchesInbox: true, report: report)
    }
}
