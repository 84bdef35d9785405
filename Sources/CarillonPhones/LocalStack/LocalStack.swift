import Articles
import CarillonAPNs
import CarillonCore
import CarillonDevice
import CarillonMessaging
import CarillonServer
import CarillonSimulator
import Chime
import CommandSupport
import Foundation
import Logging
import ServiceSupport

/// The components of `carillon up`: the service, the simulated APNs, and two phones.
struct LocalStack: Sendable {
    /// The user who is signed in on both phones.
    static let user = "ada"
    /// The host of all servers: loopback only.
    static let host = "127.0.0.1"
    static let topic = "com.example.chime"
    static let environment = APNsEnvironment.sandbox

    let clock: any CarillonClock
    let simulator: APNsSimulator
    let apns: APNsClient
    /// The APNs clients with which the page sends pushes under an app's certificate instead of the account's key.
    let certificates: CertificateClients
    let store: Store
    let service: CarillonService
    let pageState: PageState
    let directory: PhoneDirectory
    let tracker: MessageTracker
    let folder: LocalStackDirectory
    let seed: UInt64
    let apiKey: String
    /// The podcast feed that Chime loads.
    let episodes: EpisodeFeed
    /// The service's reference to the app Chime.
    let app: AppReference

    /// Creates the components and starts the simulated APNs.
    ///
    /// - Throws: ``LocalStackError``, or the error of a component that cannot start.
    static func gather(_ folder: LocalStackDirectory, port: Int, apnsPort: Int, logger: Logger) async throws
        -> LocalStack
    {
        let clock = SystemClock()
        let seed = try folder.seed()
        let store = try folder.service.openStore()
        let simulator = try await simulator(folder, port: apnsPort, seed: seed, clock: clock, logger: logger)
        let apns = try client(of: simulator, seed: seed, clock: clock, logger: logger)
        let certificates = CertificateClients(simulator: simulator) { credential in
            try client(of: simulator, credential, seed: seed, clock: clock, logger: logger)
        }
        let secret = try folder.service.signInSecret()
        let service = try CarillonService(
            configuration: ServiceConfiguration(
                apps: [], signInSecret: secret, port: port, assuredWait: PhonesLimits.assuredWait,
                registrationLimits: .none),
            store: store, sender: apns, clock: clock, random: .system, logger: logger)
        let app = try await store.apps.put(AppSettings(topic: topic), by: .program, at: clock.now).reference
        let pageState = PageState(clock: clock)
        let directory = PhoneDirectory(entries(on: simulator, folder))
        let tracker = MessageTracker(
            store: store, app: app.number, events: service.events, messages: service.changedMessages,
            simulator: simulator, pageState: pageState,
            phones: directory,
            clock: clock)
        return LocalStack(
            clock: clock, simulator: simulator, apns: apns, certificates: certificates, store: store,
            service: service, pageState: pageState,
            directory: directory, tracker: tracker, folder: folder, seed: seed,
            apiKey: try await folder.apiKey(in: store.keys, for: app, clock: clock),
            episodes: EpisodeFeed(file: folder.episodes), app: app)
    }

    /// The command-line options with which `carillon push` reaches the simulated APNs on this machine.
    var pushOptions: PageSetup.PushOptions {
        PageSetup.PushOptions(
            address: ["--url", "https://localhost:\(simulator.port)", "--ca", folder.apns.caPath],
            key: ["--key", folder.apns.keyPath(keyID: simulator.keyID), "--team-id", simulator.teamID],
            certificates: Dictionary(
                uniqueKeysWithValues: simulator.topics.map { ($0, ["--certificate", folder.apns.certificatePath($0)]) }
            ))
    }

    /// Waits until the service listens, and returns its address.
    func address() async throws -> URL {
        let port = try await service.boundPort()
        guard let url = URL(string: "http://\(URLAuthority.text(host: Self.host, port: port))") else {
            throw LocalStackError("\(port) is not a valid port")
        }
        return url
    }

    /// Creates the phones; they are switched off.
    ///
    /// The method waits until the service listens, because Chime needs the service's address.
    @MainActor
    func makePhones() async throws -> [PagePhone] {
        let address = try await address()
        let secret = try folder.service.signInSecret()
        let feed = Self.feed(address)
        try PageTexts.write(to: folder.texts)
        var chime = Self.chime(service: address, feed: feed, secret: secret, clock: clock)
        chime.resources = folder.texts
        let apps = PageApp.all(chime: chime, feed: feed, texts: folder.texts)
        guard let first = apps.first else { return [] }
        let link = SimulatorPushLink(simulator)
        return directory.entries.enumerated().map { number, entry in
            var configuration = PhoneConfiguration(
                id: entry.id, name: entry.name, clock: clock, storage: folder.phones,
                seed: seed &+ UInt64(number) &+ 1, screen: PagePhone.screen(of: number))
            configuration.locale = Locale(identifier: PhoneRegion.first)
            return PagePhone(
                phone: Phone(configuration: configuration, link: link), apps: (first, Array(apps.dropFirst())),
                memory: folder.memory(of: entry.id), directory: directory, pageState: pageState, tracker: tracker,
                clock: clock)
        }
    }

    /// Returns the URL of the feed from which the phones' apps load episodes.
    private static func feed(_ service: URL) -> URL { service.appending(path: "podcasts.json") }

    /// Returns the app Chime for the phones.
    ///
    /// This Chime makes its sign-in tokens itself; a real app gets them from its backend.
    private static func chime(service: URL, feed: URL, secret: Data, clock: any CarillonClock) -> AppBundle {
        let configuration = ChimeConfiguration(
            service: service,
            signInToken: {
                let now = clock.now
                return try SignInToken.make(
                    user: user, topic: topic, issued: now, expires: now + .seconds(300), secret: secret)
            })
        var bundle = AppBundle(
            bundleID: topic, name: "Chime", environment: environment, entitlements: [.timeSensitive],
            appGroups: [ChimeConfiguration.appGroup], usesScenes: true,
            makeDelegate: {
                // Uses the network of the phone on which this Chime is launched.
                let phone = URLSessionTransport(platform: .current(appGroup: nil))
                var configuration = configuration
                configuration.podcastFeed = .at(feed) { url in
                    let answer = try await phone.send(ServiceRequest(method: "GET", url: url))
                    guard answer.status == 200 else { throw PodcastFeed.Unreadable() }
                    return answer.body
                }
                return ChimeAppDelegate(configuration: configuration)
            },
            makeServiceExtension: { ChimeNotificationService(configuration: configuration) })
        bundle.sounds = PageApp.sounds
        bundle.supportsLiveActivities = true
        bundle.liveActivities = [.liveMatch, .order]
        return bundle
    }

    /// Returns the id and the name of each phone, and the device token and the topic of its app.
    ///
    /// A phone with a saved token keeps that token. A phone without a saved token gets one from the simulator. Because the
    /// simulator's seed is fixed, this token does not change from start to start.
    private static func entries(
        on simulator: APNsSimulator, _ folder: LocalStackDirectory
    ) -> [PhoneDirectory.Entry] {
        [("phone-1", "Ada’s iPhone"), ("phone-2", "Ada’s old iPhone")].compactMap { id, name in
            let known = folder.memory(of: id).read()
            let topic = known?.app.flatMap(ArticleApp.init(rawValue:))?.bundleID ?? topic
            let earlier = known?.token.flatMap { DeviceToken(hex: $0) }
            let token = simulator.devices.issueToken(
                device: id, topic: topic, environment: environment, earlier: earlier?.data)
            return DeviceToken(token).map { PhoneDirectory.Entry(id: id, name: name, token: $0, topic: topic) }
        }
    }

    private static func simulator(
        _ folder: LocalStackDirectory, port: Int, seed: UInt64, clock: any CarillonClock, logger: Logger
    ) async throws -> APNsSimulator {
        let topics = [topic] + ArticleApp.allCases.map(\.bundleID)
        var configuration = SimulatorConfiguration(clock: clock, seed: seed, topics: Set(topics))
        configuration.port = port
        configuration.environment = environment
        configuration.credentials = try folder.apns.credentials(keyID: configuration.keyID)
        let simulator = try await APNsSimulator.start(configuration, logger: logger)
        try folder.apns.write(simulator, seed: seed)
        return simulator
    }

    static func client(
        of simulator: APNsSimulator, seed: UInt64, clock: any CarillonClock, logger: Logger
    ) throws -> APNsClient {
        let key = try APNsSigningKey(
            pem: simulator.signingKeyPEM, keyID: simulator.keyID, teamID: simulator.teamID)
        return try client(of: simulator, .signingKey(key), seed: seed, clock: clock, logger: logger)
    }

    private static func client(
        of simulator: APNsSimulator, _ credential: APNsCredential, seed: UInt64, clock: any CarillonClock,
        logger: Logger
    ) throws -> APNsClient {
        try APNsClient(
            configuration: APNsConfiguration(
                endpoint: APNsEndpoint(host: simulator.host, port: simulator.port), credential: credential,
                trustRoots: .pem(simulator.caCertificatePEM), clock: clock, seed: seed),
            logger: logger)
    }
}
