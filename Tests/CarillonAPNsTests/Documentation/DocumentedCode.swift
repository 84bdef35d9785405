import CarillonAPNs
import CarillonCore
import CarillonSimulator
import Foundation
import Logging
import Testing

// What the DocC pages of CarillonAPNs and CarillonSimulator and docs/simulator.md show, word for word: Tests/TidyTests
// compares.

// MARK: - Send your first notification

/// The client of this process: make it once, share it, shut it down at the end.
func makeClient(
    keyFile: URL, keyID: String, teamID: String, endpoint: APNsEndpoint, trustRoots: APNsTrustRoots = .system
) throws -> APNsClient {
    let key = try APNsSigningKey(
        pem: String(contentsOf: keyFile, encoding: .utf8), keyID: keyID, teamID: teamID)
    return try APNsClient(
        configuration: APNsConfiguration(
            endpoint: endpoint, credential: .signingKey(key), trustRoots: trustRoots, clock: SystemClock(),
            seed: UInt64.random(in: .min ... .max)),
        logger: Logger(label: "push"))
}

func greeting(for deviceToken: DeviceToken) throws -> APNsNotification {
    let payload = Payload(
        aps: Aps(alert: .parts(.init(title: "Hello", body: "It works.")), sound: .default),
        custom: ["link": "https://example.com/welcome"])
    return APNsNotification(
        deviceToken: deviceToken, topic: "com.example.app", pushType: .alert,
        payload: try APNsPayload(payload, for: .alert), apnsID: UUID())
}

/// Whether the device token may be used again.
func send(_ notification: APNsNotification, with client: APNsClient) async -> Bool {
    do {
        switch try await client.send(notification) {
        case .accepted:
            return true
        case .rejected(let rejection):
            return rejection.remedy != .removeDeviceToken
        }
    } catch {
        // No answer came. error.mayHaveArrived says whether the push may be on the device.
        return true
    }
}

@Test("a first notification goes out with a .p8 key, and its outcome is read")
func firstNotification() async throws {
    let fixture = try await PushFixture()
    let keyFile = FileManager.default.temporaryDirectory.appending(path: "AuthKey_\(UUID().uuidString).p8")
    try fixture.simulator.signingKeyPEM.write(to: keyFile, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: keyFile) }
    let client = try makeClient(
        keyFile: keyFile, keyID: fixture.simulator.keyID, teamID: fixture.simulator.teamID,
        endpoint: APNsEndpoint(host: fixture.simulator.host, port: fixture.simulator.port),
        trustRoots: .pem(fixture.simulator.caCertificatePEM))
    // The clock of the simulator stands elsewhere than the machine's, by which this client signs.
    fixture.clock.set(to: SystemClock().now)
    let token = try fixture.token()
    #expect(await send(try greeting(for: token), with: client))
    fixture.simulator.devices.invalidate(token.data)
    #expect(await send(try greeting(for: token), with: client) == false)
    await client.shutdown()
    #expect(await send(try greeting(for: token), with: client))
    await fixture.end()
}

// MARK: - Test a sender

/// A simulated APNs, and the client under test, which trusts it and signs with its key.
struct PushFixture {
    let clock = ManualClock(start: Timestamp(secondsSince1970: 1_790_000_000))
    let simulator: APNsSimulator
    let client: APNsClient

    init() async throws {
        simulator = try await APNsSimulator.start(
            SimulatorConfiguration(clock: clock, seed: 7, topics: ["com.example.app"]),
            logger: Logger(label: "apns"))
        let key = try APNsSigningKey(
            pem: simulator.signingKeyPEM, keyID: simulator.keyID, teamID: simulator.teamID)
        client = try APNsClient(
            configuration: APNsConfiguration(
                endpoint: APNsEndpoint(host: simulator.host, port: simulator.port),
                credential: .signingKey(key), trustRoots: .pem(simulator.caCertificatePEM), clock: clock, seed: 7),
            logger: Logger(label: "push"))
    }

    func token(device: String = "phone") throws -> DeviceToken {
        let data = simulator.devices.issueToken(device: device, topic: "com.example.app", environment: .sandbox)
        return try #require(DeviceToken(data))
    }

    func end() async {
        await client.shutdown()
        await simulator.shutdown()
    }
}

@Test("a push that is sent while the device is offline waits for it")
func offlineDevice() async throws {
    let fixture = try await PushFixture()
    let (simulator, token) = (fixture.simulator, try fixture.token())
    let (pushes, arrival) = AsyncStream.makeStream(of: SimulatorPush.self)

    _ = try await fixture.client.send(greeting(for: token))
    #expect(simulator.devices.summary(of: "phone")?.storedCount == 1)

    fixture.clock.advance(by: .seconds(3 * 3600))
    simulator.devices.connect(device: "phone") { arrival.yield($0) }
    let push = try #require(await pushes.first { _ in true })
    #expect(push.bundleID == "com.example.app" && push.priority == 10)
    await fixture.end()
}

@Test("after a deleted app the token is given up")
func deletedApp() async throws {
    let fixture = try await PushFixture()
    let token = try fixture.token()
    fixture.simulator.devices.invalidate(token.data)

    #expect(await send(try greeting(for: token), with: fixture.client) == false)

    let request = try #require(fixture.simulator.requests().last)
    #expect(request.header("apns-topic") == "com.example.app")
    guard case .rejected(let rejection) = request.decision else { throw UnexpectedOutcome() }
    #expect(rejection.reason == .unregistered && rejection.check == .registration)
    await fixture.end()
}

@Test("a scripted answer is given once, and the next request passes")
func scriptedAnswers() async throws {
    let fixture = try await PushFixture()
    let token = try fixture.token()
    fixture.simulator.faults.script([.reject(.tooManyRequests), nil], for: token)

    let outcomes = [
        try await fixture.client.send(greeting(for: token)), try await fixture.client.send(greeting(for: token)),
    ]

    guard case .rejected(let rejection) = outcomes[0] else { throw UnexpectedOutcome() }
    #expect(rejection.reason == .tooManyRequests && rejection.remedy == .slowDown)
    guard case .accepted = outcomes[1] else { throw UnexpectedOutcome() }
    await fixture.end()
}

struct UnexpectedOutcome: Error {}
