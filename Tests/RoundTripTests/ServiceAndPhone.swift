import CarillonAPNs
import CarillonCore
import CarillonDevice
import CarillonServer
import CarillonSimulator
import Foundation
import FoundationNetworking
import Logging
import ServiceLifecycle
import TestSupport
import Testing

@testable import CarillonPhones
@testable import CommandSupport
@testable import ServiceSupport

/// The service, the APNs simulator and a phone with an app in this process, over real connections; a backend's view of them.
struct ServiceAndPhone: Sendable {
    let base: URL
    let store: Store
    /// The secret that signs sign-in tokens.
    let signInSecret: Data
    private let key: String
    private let apns: APNsClient
    private let topic: String

    /// Calls the service as the backend, and requires that it agrees.
    @discardableResult
    func call(
        _ method: String, _ path: String, _ body: String? = nil, type: String = "application/json"
    ) async throws -> JSONValue {
        let url = try #require(URL(string: path, relativeTo: base))
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        let (data, response) = try await ProgramSession.own.data(for: request)
        let status = try #require(response as? HTTPURLResponse).statusCode
        try #require(
            (200..<300).contains(status), "\(path) answered \(status): \(String(decoding: data, as: UTF8.self))")
        return data.isEmpty ? .null : try JSONValue(parsing: data)
    }

    /// Sends a push of another provider's straight to APNs.
    @MainActor func push(_ payload: String, _ type: PushType, to app: AppUnderTest) async throws {
        let answer = try await apns.send(
            APNsNotification(
                deviceToken: token(of: app), topic: topic, pushType: type, payload: APNsPayload(Data(payload.utf8)),
                apnsID: UUID()))
        guard case .accepted = answer else { throw URLError(.badServerResponse) }
    }

    /// Sends a push to the app's token for calls straight to APNs, under the topic of the push's type.
    @MainActor func push(_ payload: String, _ type: PushType = .voip, toCallsOf app: AppUnderTest) async throws {
        let token = try #require(app.phone.voIPToken(of: topic).flatMap { DeviceToken($0) })
        let answer = try await apns.send(
            APNsNotification(
                deviceToken: token, topic: APNsNotification.topic(bundleID: topic, pushType: type), pushType: type,
                payload: APNsPayload(Data(payload.utf8)), apnsID: UUID()),
            // However busy the machine is.
            deadline: .seconds(300))
        guard case .accepted = answer else { throw URLError(.badServerResponse) }
    }

    @MainActor func token(of app: AppUnderTest) throws -> DeviceToken {
        try #require(app.phone.deviceToken(of: topic).flatMap { DeviceToken($0) })
    }

    /// Starts everything, and stops it when `body` ends.
    ///
    /// - Parameters:
    ///   - topic: the app's.
    ///   - configure: changes the service's configuration.
    ///   - bundle: the app, which may need to know where the service is.
    ///   - body: the test; the app is installed and has not been opened.
    @MainActor static func run(
        topic: String, configure: (inout ServiceConfiguration) -> Void = { _ in },
        bundle: (ServiceAndPhone) throws -> AppBundle,
        body: @MainActor (AppUnderTest, ServiceAndPhone) async throws -> Void
    ) async throws {
        let (clock, logger) = (SystemClock(), Logger(label: "service") { _ in SwiftLogNoOpLogHandler() })
        let simulator = try await APNsSimulator.start(
            SimulatorConfiguration(clock: clock, seed: 1, topics: [topic]), logger: logger)
        let folder = try TemporaryFolder()
        let directory = try ServiceDirectory(path: folder.url.appending(path: "service").path)
        let (store, secret) = (try directory.openStore(), try directory.signInSecret())
        let apns = try LocalStack.client(of: simulator, seed: 1, clock: clock, logger: logger)
        var configuration = ServiceConfiguration(
            apps: [AppSettings(topic: topic)], signInSecret: secret, port: 0, assuredWait: .milliseconds(200))
        configure(&configuration)
        let service = try CarillonService(
            configuration: configuration,
            store: store, sender: apns, clock: clock, random: .system, logger: logger)
        let group = ServiceGroup(configuration: .init(services: [service], logger: logger))
        async let running: Void = group.run()
        let result: Result<Void, any Error>
        do {
            let base = try #require(URL(string: "http://127.0.0.1:\(try await service.boundPort())"))
            let app = try await store.apps.put(AppSettings(topic: topic), by: AuditActor("test"), at: clock.now)
                .reference
            let key = try await APIKeys(in: store.keys, clock: clock, random: .system, by: AuditActor("test")).make(
                name: "test", scopes: [.send, .read, .users], apps: [app]
            ).key
            let backend = ServiceAndPhone(
                base: base, store: store, signInSecret: secret, key: key, apns: apns, topic: topic)
            try await AppUnderTest.run(
                bundle(backend), start: clock.now, link: SimulatorPushLink(simulator)
            ) { app in try await body(app, backend) }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await group.triggerGracefulShutdown()
        try await running
        await apns.shutdown()
        await simulator.shutdown()
        try result.get()
    }
}
