import CarillonAPNs
import CarillonCore
import CarillonSimulator
import Foundation
import Logging
import TestSupport
import Testing

@testable import CarillonServer

/// Production and sandbox are two servers that know nothing of each other's tokens.
@Suite("A push goes to the environment of its app", .serialized) struct SenderRoutingTests {
    private static let topic = "com.example.chime"
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func simulator(_ environment: APNsEnvironment) async throws -> APNsSimulator {
        var configuration = SimulatorConfiguration(clock: SystemClock(), seed: 1, topics: [topic])
        configuration.environment = environment
        return try await APNsSimulator.start(configuration, logger: logger)
    }

    private static func push(_ environment: APNsEnvironment, to token: DeviceToken) -> ComposedPush {
        ComposedPush(
            token: token, app: AppID(topic: topic, environment: environment), pushType: .background,
            payload: Data(#"{"aps":{"content-available":1}}"#.utf8), priority: .considerate, expiration: .oneAttempt,
            collapseID: environment.rawValue, apnsID: UUID())
    }

    @Test("each push goes to its own environment with that environment's key, one by one and several at once")
    func environments() async throws {
        let folder = try TemporaryFolder()
        let simulators = [
            APNsEnvironment.production: try await Self.simulator(.production),
            .sandbox: try await Self.simulator(.sandbox),
        ]
        let store = Store(try SQLiteEngine(path: folder.url.appending(path: "s.sqlite").path))
        var credentials: [APNsEnvironment: CredentialReference] = [:]
        var tokens: [APNsEnvironment: DeviceToken] = [:]
        for (environment, simulator) in simulators {
            let key = folder.url.appending(path: "\(environment.rawValue).p8")
            try TemporaryFolder.write(secret: Data(simulator.signingKeyPEM.utf8), to: key)
            credentials[environment] = .signingKey(
                path: key.path, keyID: simulator.keyID, teamID: simulator.teamID)
            tokens[environment] = DeviceToken(
                simulator.devices.issueToken(device: "phone", topic: Self.topic, environment: environment))
        }
        _ = try await store.apps.put(
            AppSettings(topic: Self.topic, credentials: credentials), by: AuditActor("test"), at: SystemClock().now)
        let production = try #require(simulators[.production])
        let sandbox = try #require(simulators[.sandbox])
        let roots = [production, sandbox].map(\.caCertificatePEM).joined()
        let senders = AppSenders(
            apps: store.apps,
            endpoints: AppSenders.Endpoints(
                production: APNsEndpoint(host: production.host, port: production.port),
                sandbox: APNsEndpoint(host: sandbox.host, port: sandbox.port), trustRoots: .pem(roots)),
            certificatePassword: nil, clock: SystemClock(), logger: Self.logger)
        for environment in [APNsEnvironment.production, .sandbox, .production] {
            let push = Self.push(environment, to: try #require(tokens[environment]))
            let outcome = await senders.send(push)
            guard case .accepted = outcome else {
                Issue.record("a push for \(environment) was not accepted: \(outcome)")
                continue
            }
            let (answers, more) = AsyncStream.makeStream(of: SendOutcome.self)
            let clock = SystemClock()
            await senders.send([push], until: SendDeadline(at: .seconds(15), on: clock)) { answers in
                for answer in answers { more.yield(answer.outcome) }
            }
            more.finish()
            guard case .accepted? = await answers.first(where: { _ in true }) else {
                Issue.record("a push for \(environment) among others was not accepted")
                continue
            }
        }
        await senders.shutdown()
        let counts = [production.requests().count, sandbox.requests().count]
        for simulator in simulators.values { await simulator.shutdown() }
        #expect(counts == [4, 2])
    }

    @Test("Apple's two servers are those that Apple names")
    func hosts() {
        #expect(APNsEndpoint.production.host == "api.push.apple.com" && APNsEndpoint.production.port == 443)
        #expect(APNsEndpoint.sandbox.host == "api.sandbox.push.apple.com" && APNsEndpoint.sandbox.port == 443)
    }
}
