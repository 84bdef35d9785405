import CarillonCore
import CarillonSimulator
import Foundation
import NIOCore
import NIOHPACK
import TestSupport
import Testing

@testable import CarillonAPNs

@Suite("Channels and broadcasts, against the simulator over TLS and HTTP/2", .timeLimit(.minutes(5)))
struct ChannelTests {
    private static let topic = "com.example.chime"

    private struct Setup {
        let simulator: APNsSimulator
        let client: APNsClient

        func create(_ policy: APNsChannelStoragePolicy = .noMessageStored, number: Int = 1) async throws -> String {
            let outcome = try await client.createChannel(
                bundleID: topic, storagePolicy: policy, requestID: TestValues.uuid(number))
            guard case .done(let id) = outcome else { throw TestValues.Missing() }
            return id
        }

        func broadcast(_ text: String, to channel: String) -> APNsBroadcast {
            APNsBroadcast(
                channelID: channel, bundleID: topic,
                payload: APNsPayload(Data(#"{"aps":{"event":"update","content":"\#(text)"}}"#.utf8)),
                requestID: TestValues.uuid(77))
        }
    }

    private func run(
        certificate: Bool = false, broadcastTopics: Set<String>? = nil, _ body: (Setup) async throws -> Void
    ) async throws {
        let clock = ManualClock(start: TestValues.start)
        var configuration = SimulatorConfiguration(clock: clock, seed: 7, topics: [Self.topic])
        configuration.broadcastTopics = broadcastTopics
        let simulator = try await APNsSimulator.start(configuration, logger: TestValues.quiet)
        var credential = APNsCredential.signingKey(
            try APNsSigningKey(pem: simulator.signingKeyPEM, keyID: simulator.keyID, teamID: simulator.teamID))
        if certificate {
            let issued = try simulator.issueClientCertificate(topics: [Self.topic])
            credential = .certificate(
                try APNsCertificate(certificatePEM: issued.certificatePEM, privateKeyPEM: issued.privateKeyPEM))
        }
        let client = try APNsClient(
            configuration: APNsConfiguration(
                endpoint: APNsEndpoint(host: simulator.host, port: simulator.port), credential: credential,
                trustRoots: .pem(simulator.caCertificatePEM), clock: clock, seed: 1, defaultDeadline: .seconds(120)),
            logger: TestValues.quiet)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(Setup(simulator: simulator, client: client)))
        } catch {
            result = .failure(error)
        }
        await client.shutdown()
        await simulator.shutdown()
        try result.get()
    }

    @Test(
        "a channel is created, read, listed and deleted, with a key and with a certificate", arguments: [false, true])
    func life(certificate: Bool) async throws {
        try await run(certificate: certificate) { setup in
            let plain = try await setup.create()
            let storing = try await setup.create(.mostRecentMessageStored, number: 2)
            let client = setup.client
            let id = TestValues.uuid(3)
            #expect(
                try await client.channel(plain, bundleID: Self.topic, requestID: id) == .done(.noMessageStored))
            #expect(
                try await client.channel(storing, bundleID: Self.topic, requestID: id)
                    == .done(.mostRecentMessageStored))
            #expect(
                try await client.channels(bundleID: Self.topic, requestID: id) == .done([plain, storing].sorted()))
            #expect(try await client.deleteChannel(plain, bundleID: Self.topic, requestID: id) == .done(plain))
            #expect(try await client.channels(bundleID: Self.topic, requestID: id) == .done([storing]))
            #expect(client.statistics.accepted == 0, "channels are no pushes")
        }
    }

    @Test("a rejection is an outcome with Apple's reason, its status and the request's id")
    func rejected() async throws {
        try await run { setup in
            let id = TestValues.uuid(9)
            let gone = try await setup.client.deleteChannel("AAAA", bundleID: Self.topic, requestID: id)
            let rejection = APNsRejection(reason: .channelNotRegistered, status: 400, timestamp: nil, apnsID: id)
            #expect(gone == .rejected(rejection) && rejection.reason.isKnown)
            let other = try await setup.client.channels(bundleID: "com.example.other", requestID: id)
            #expect(
                other == .rejected(APNsRejection(reason: .topicMismatch, status: 403, timestamp: nil, apnsID: id)))
            let nobody = try await setup.client.send(setup.broadcast("x", to: "AAAA"))
            guard case .rejected(let why) = nobody else { throw TestValues.Missing() }
            #expect(why.reason == .channelNotRegistered && why.apnsID == TestValues.uuid(77))
        }
        try await run(broadcastTopics: []) { setup in
            let outcome = try await setup.client.channels(bundleID: Self.topic, requestID: TestValues.uuid(1))
            guard case .rejected(let why) = outcome else { throw TestValues.Missing() }
            #expect(why.reason == .featureNotEnabled)
        }
    }

    @Test("a broadcast reaches every follower, as it was meant; one who is away gets the stored one")
    func broadcast() async throws {
        try await run { setup in
            let channel = try await setup.create(.mostRecentMessageStored)
            let (pushes, more) = AsyncStream.makeStream(of: SimulatorPush.self)
            let devices = ["near", "far"]
            for device in devices {
                try setup.simulator.followChannels([channel], topic: Self.topic, device: device)
            }
            setup.simulator.devices.connect(device: "near") { more.yield($0) }
            var broadcast = setup.broadcast("é 通知", to: channel)
            broadcast.expiration = .at(TestValues.start + .seconds(3600))
            broadcast.priority = .considerate
            guard case .accepted(let id, _) = try await setup.client.send(broadcast) else {
                throw TestValues.Missing()
            }
            #expect(id == broadcast.requestID)
            var iterator = pushes.makeAsyncIterator()
            for device in devices {
                if device == "far" { setup.simulator.devices.connect(device: "far") { more.yield($0) } }
                let push = try #require(await iterator.next())
                #expect(push.device == device && push.channelID == channel && push.priority == 5)
                #expect(push.payload == Data(broadcast.payload.buffer.readableBytesView))
                #expect(push.expiration == .at(TestValues.start + .seconds(3600)))
            }
            #expect(setup.client.statistics.accepted == 1)
        }
    }

    @Test("by default a broadcast has the expiration 0, which a channel takes that stores nothing")
    func oneAttempt() async throws {
        try await run { setup in
            let channel = try await setup.create()
            var broadcast = setup.broadcast("x", to: channel)
            guard case .accepted = try await setup.client.send(broadcast) else { throw TestValues.Missing() }
            broadcast.expiration = .at(TestValues.start + .seconds(60))
            guard case .rejected(let why) = try await setup.client.send(broadcast) else { throw TestValues.Missing() }
            #expect(why.reason == .badExpirationDate)
        }
    }

    @Test("a list many times longer than a window comes whole, while pushes go on beside it")
    func longList() async throws {
        let authority = try TestAuthority()
        let ids = (0..<10_000).map { "channel\($0)======" }
        let list = #"{"channels":["\#(ids.joined(separator: #"",""#))"]}"#
        let server = try await FrameServer.start(try authority.server(addresses: ["127.0.0.1"])) { event, connection in
            guard case .request(let stream, let head, _) = event else { return }
            let isList = head.first(name: ":method") == "GET"
            if isList { connection.refuse(stream, status: 200, body: list) } else { connection.accept(stream) }
        }
        let client = try authority.client(port: server.port)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...3 {
                group.addTask {
                    let list = try await client.channels(bundleID: Self.topic, requestID: TestValues.uuid(number))
                    #expect(list == .done(ids))
                    guard case .accepted = try await client.send(try TestValues.notification(number: number)) else {
                        throw TestValues.Missing()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(client.statistics.connectionsOpened == 1 && client.statistics.accepted == 3)
        await client.shutdown()
        try await server.stop()
    }

    @Test("what could not stand in a path or a header is refused before anything is sent, and says why")
    func mistakes() async throws {
        let authority = try TestAuthority()
        let client = try authority.client(port: 1, deadline: .seconds(5))
        let id = TestValues.uuid(1)
        for bundleID in ["", "a/b", "com.example app", "é", "a?b", String(repeating: "a", count: 256)] {
            let error = await #expect(throws: APNsError.self) {
                try await client.channels(bundleID: bundleID, requestID: id)
            }
            #expect(error?.code == .invalidNotification && error?.message == "The bundle id is none.")
        }
        for channel in ["", "a b", "a\r\nx: y", "é", String(repeating: "A", count: 257)] {
            let error = await #expect(throws: APNsError.self) {
                try await client.deleteChannel(channel, bundleID: Self.topic, requestID: id)
            }
            #expect(error?.message == "The channel id is none.")
        }
        for (byteCount, says) in [(0, "has 0 bytes"), (5121, "has 5121 bytes; of a broadcast it may have 5120")] {
            let broadcast = APNsBroadcast(
                channelID: "AAAA", bundleID: Self.topic, payload: APNsPayload(Data(count: byteCount)), requestID: id)
            let error = await #expect(throws: APNsError.self) { try await client.send(broadcast) }
            #expect(error?.code == .invalidNotification && error?.message.contains(says) == true)
        }
        await client.shutdown()
    }

    @Test("success that is no answer about channels is an error: the channel may have been made")
    func unreadable() async throws {
        let authority = try TestAuthority()
        let identity = try authority.server(addresses: ["127.0.0.1"])
        for body in ["", "[]", #"{"channels":[1]}"#, String(repeating: " ", count: 2 << 20)] {
            let server = try await FrameServer.start(identity) { event, connection in
                guard case .request(let stream, _, _) = event else { return }
                connection.refuse(stream, status: 200, body: body)
            }
            let client = try authority.client(port: server.port)
            let error = await #expect(throws: APNsError.self) {
                try await client.channels(bundleID: Self.topic, requestID: TestValues.uuid(1))
            }
            #expect(error?.code == .unknown && error?.mayHaveArrived == true, "\(body.prefix(40))")
            await client.shutdown()
            try await server.stop()
        }
    }

    @Test("of a push 200 alone is success; 201 is for channels")
    func pushes() async throws {
        let authority = try TestAuthority()
        let server = try await FrameServer.start(try authority.server(addresses: ["127.0.0.1"])) { event, connection in
            guard case .request(let stream, _, _) = event else { return }
            connection.refuse(stream, status: 201, body: "")
        }
        let client = try authority.client(port: server.port)
        guard case .rejected(let why) = try await client.send(try TestValues.notification()) else {
            throw TestValues.Missing()
        }
        #expect(why.reason.rawValue == "HTTP 201")
        await client.shutdown()
        try await server.stop()
    }

    @Test("Apple's hosts for channels are not those for pushes")
    func endpoints() {
        #expect("\(APNsEndpoint.productionChannels)" == "api-manage-broadcast.push.apple.com:2196")
        #expect("\(APNsEndpoint.sandboxChannels)" == "api-manage-broadcast.sandbox.push.apple.com:2195")
    }
}
