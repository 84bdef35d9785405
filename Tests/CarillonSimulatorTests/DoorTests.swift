import CarillonCore
import CarillonSimulator
import Crypto
import Foundation
import Testing

@Suite("Doors for senders that Apple's servers would turn away")
struct DoorTests {
    private let unknown = DeviceToken(hex: String(repeating: "0badc0de", count: 8))

    private func send(_ requests: [ForeignSender.Request], _ fixture: SimulatorFixture) async throws
        -> [ForeignSender.Answer]
    {
        try await ForeignSender(fixture: fixture).send(requests.map { [$0] }).compactMap(\.first)
    }

    @Test("with any-token, an unknown token is a phone from its first push on, for the app of that push")
    func anyToken() async throws {
        let unknown = try #require(unknown)
        try await SimulatorFixture.with({ $0.doors = [.anyToken] }) { fixture in
            let other = ForeignSender.Request.alert(to: unknown, replacing: ["apns-topic": "com.example.other"])
            let foreign = ForeignSender.Request.alert(to: unknown, replacing: ["apns-topic": "com.example.foreign"])
            let malformed = ForeignSender.Request(path: "/3/device/xyz", headers: other.headers)
            let refused = try await send([foreign, malformed], fixture)
            #expect(refused.map(\.reason) == ["TopicDisallowed", "BadDeviceToken"], "the other checks stay")
            let first = try await send([.alert(to: unknown)], fixture)
            let answers = first + (try await send([.alert(to: unknown), other], fixture))
            #expect(answers.map(\.status) == [200, 200, 400])
            #expect(answers.last?.reason == "DeviceTokenNotForTopic", "the token is one app's")
            #expect((refused + answers).allSatisfy { $0.headers["carillon-doors"] == "any-token" })
            let delivered = fixture.deviceEvents.filter { $0.kind == .delivered(late: false) }
            #expect(delivered.map(\.device) == [unknown.hex, unknown.hex])
            fixture.simulator.devices.invalidate(unknown.data)
            #expect(try await send([.alert(to: unknown)], fixture).map(\.status) == [410], "it has ended, and stays so")
        }
    }

    @Test("without a door an unknown token is refused, and no answer names a door")
    func closed() async throws {
        let unknown = try #require(unknown)
        try await SimulatorFixture.with { fixture in
            let answers = try await send([.alert(to: unknown), .alert(to: fixture.token())], fixture)
            #expect(answers.map(\.status) == [400, 200])
            #expect(answers.first?.reason == "BadDeviceToken")
            #expect(answers.allSatisfy { $0.headers["carillon-doors"] == nil })
        }
    }

    @Test("with mdm, a push for a device-management server needs no certificate, and any topic will do")
    func mdm() async throws {
        let topic = "com.apple.mgmt.External.0f0e0d0c"
        try await SimulatorFixture.with({ $0.doors = [.mdm] }) { fixture in
            let token = fixture.token(topic: topic)
            let body = #"{"mdm":"push magic"}"#
            let requests = ["mdm", nil, "alert"].map { type in
                ForeignSender.Request.alert(
                    to: token, replacing: ["apns-push-type": type, "apns-topic": topic], body: body)
            }
            let answers = try await send(requests, fixture)
            #expect(answers.map(\.status) == [200, 200, 400])
            #expect(answers.last?.reason == "TopicDisallowed", "the door is for pushes of the type mdm")
            #expect(answers.allSatisfy { $0.headers["carillon-doors"] == "mdm" })
        }
    }

    @Test("the well-known key and authority are those that other people's tests have kept")
    func wellKnown() async throws {
        let credentials = SimulatorCredentials.wellKnown
        let key = try P256.Signing.PrivateKey(pemRepresentation: credentials.signingKeyPEM)
        #expect(
            key.rawRepresentation.map { String(format: "%02x", $0) }.joined()
                == "e9f5a15ebebc26043c1e8c12bbd3495387221c6a830822ae2f21dda38244f969")
        try await SimulatorFixture.with({ $0.doors = [.wellKnown] }) { fixture in
            #expect(fixture.simulator.caCertificatePEM == credentials.caCertificatePEM)
            #expect(fixture.simulator.signingKeyPEM == credentials.signingKeyPEM)
            let answers = try await send([.alert(to: fixture.token())], fixture)
            #expect(answers.map(\.status) == [200])
        }
    }

    @Test("several open doors are named in one header")
    func names() async throws {
        try await SimulatorFixture.with({ $0.doors = [.wellKnown, .anyToken] }) { fixture in
            let answers = try await send([.alert(to: fixture.token())], fixture)
            #expect(answers.map { $0.headers["carillon-doors"] } == ["any-token, well-known"])
        }
    }
}
