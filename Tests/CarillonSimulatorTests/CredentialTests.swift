import CarillonCore
import CarillonSimulator
import Crypto
import Foundation
import Testing

@Suite("Credentials over one connection, by httpx and PyJWT")
struct CredentialTests {
    /// `nil` stands for 200.
    private func expect(
        _ reasons: [String?], from requests: [ForeignSender.Request], _ fixture: SimulatorFixture,
        _ certificate: IssuedCertificate? = nil, location: SourceLocation = #_sourceLocation
    ) async throws {
        let setup: JSONValue? = certificate.map {
            [
                "client_certificate": .string($0.certificatePEM + "\n"), "client_key": .string($0.privateKeyPEM),
            ]
        }
        let answers = try await ForeignSender(fixture: fixture).send([requests], setups: setup.map { [0: $0] } ?? [:])
        let found = answers.first?.map { $0.status == 200 ? nil : $0.reason ?? $0.error }
        #expect(found == reasons, sourceLocation: location)
    }

    @Test("JWT: a new token within 20 minutes on one connection is TooManyProviderTokenUpdates")
    func tooManyUpdates() async throws {
        try await SimulatorFixture.with { fixture in
            let (token, now) = (fixture.token(), fixture.clock.now.secondsSince1970)
            func issued(_ secondsAgo: Int64) -> ForeignSender.Request {
                .alert(to: token, auth: ["claims": ["iat": .int(now - secondsAgo)]])
            }
            try await expect(
                [nil, nil, "TooManyProviderTokenUpdates", nil],
                from: [issued(1199), issued(1199), issued(0), issued(1199)], fixture)
            try await expect([nil, nil], from: [issued(1200), issued(0)], fixture)
        }
    }

    @Test("JWT: one team per connection; a token of another team is invalid there, and good on a connection of its own")
    func oneTeam() async throws {
        let key = P256.Signing.PrivateKey()
        try await SimulatorFixture.with({ $0.furtherKeys = [other(key, team: "OTHERTEAM0", related: nil)] }) {
            fixture in
            let token = fixture.token()
            let foreign = ForeignSender.Request.alert(
                to: token,
                auth: [
                    "key": .string(key.pemRepresentation), "header": ["kid": "OTHERKEY00"],
                    "claims": ["iss": "OTHERTEAM0"],
                ])
            try await expect([nil, "InvalidProviderToken"], from: [.alert(to: token), foreign], fixture)
            try await expect([nil], from: [foreign], fixture)
        }
    }

    @Test("JWT: a key unrelated to the connection's first one is UnrelatedKeyIdInToken; a related one is not")
    func relation() async throws {
        let key = P256.Signing.PrivateKey()
        for related in [nil, "SIMKEY0001"] {
            try await SimulatorFixture.with({ $0.furtherKeys = [other(key, team: "SIMTEAM001", related: related)] }) {
                fixture in
                let token = fixture.token()
                let second = ForeignSender.Request.alert(
                    to: token, auth: ["key": .string(key.pemRepresentation), "header": ["kid": "OTHERKEY00"]])
                try await expect(
                    [nil, related == nil ? "UnrelatedKeyIdInToken" : nil], from: [.alert(to: token), second], fixture)
            }
        }
    }

    @Test("JWT: a key of the other environment is BadEnvironmentKeyInToken")
    func environment() async throws {
        let key = P256.Signing.PrivateKey()
        try await SimulatorFixture.with({
            $0.furtherKeys = [other(key, team: "SIMTEAM001", related: nil)]
            $0.furtherKeys[0].environments = [.production]
        }) { fixture in
            let request = ForeignSender.Request.alert(
                to: fixture.token(), auth: ["key": .string(key.pemRepresentation), "header": ["kid": "OTHERKEY00"]])
            try await expect(["BadEnvironmentKeyInToken"], from: [request], fixture)
        }
    }

    @Test("JWT: a topic-specific key sends for its topics only")
    func topicKey() async throws {
        let key = P256.Signing.PrivateKey()
        try await SimulatorFixture.with({
            $0.furtherKeys = [other(key, team: "SIMTEAM001", related: nil)]
            $0.furtherKeys[0].topics = ["com.example.other"]
        }) { fixture in
            let auth: JSONValue = ["key": .string(key.pemRepresentation), "header": ["kid": "OTHERKEY00"]]
            let allowed = ForeignSender.Request.alert(
                to: fixture.token(topic: "com.example.other"), replacing: ["apns-topic": "com.example.other"],
                auth: auth)
            try await expect(
                ["TopicDisallowed", nil], from: [.alert(to: fixture.token(), auth: auth), allowed], fixture)
        }
    }

    @Test("a certificate sends for its topic without a token, and needs no apns-topic")
    func certificate() async throws {
        try await SimulatorFixture.with { fixture in
            let token = fixture.token()
            let certificate = try fixture.simulator.issueClientCertificate(topics: [SimulatorFixture.bundleID])
            try await expect(
                [nil, nil, "TopicDisallowed", "TopicDisallowed", "Forbidden"],
                from: [
                    .alert(to: token, auth: nil), .alert(to: token, replacing: ["apns-topic": nil], auth: nil),
                    .alert(to: token, replacing: ["apns-topic": "com.example.other"], auth: nil),
                    // Unlike a key, a certificate covers no suffix that does not stand in it.
                    .alert(
                        to: token,
                        replacing: ["apns-push-type": "voip", "apns-topic": "\(SimulatorFixture.bundleID).voip"],
                        auth: nil),
                    .alert(
                        to: token,
                        replacing: [
                            "apns-push-type": "location", "apns-topic": "\(SimulatorFixture.bundleID).location-query",
                        ], auth: nil),
                ], fixture, certificate)
        }
    }

    @Test("a certificate with several topics lists them, and then each request names its topic")
    func universalCertificate() async throws {
        try await SimulatorFixture.with { fixture in
            let token = fixture.token()
            let voip = "\(SimulatorFixture.bundleID).voip"
            let certificate = try fixture.simulator.issueClientCertificate(topics: [SimulatorFixture.bundleID, voip])
            try await expect(
                ["MissingTopic", nil, nil],
                from: [
                    .alert(to: token, replacing: ["apns-topic": nil], auth: nil), .alert(to: token, auth: nil),
                    .alert(to: token, replacing: ["apns-topic": voip, "apns-push-type": "voip"], auth: nil),
                ], fixture, certificate)
        }
    }

    @Test("a certificate for the other environment, or of another authority, is refused with its reason")
    func badCertificates() async throws {
        try await SimulatorFixture.with { fixture in
            let token = fixture.token()
            let production = try fixture.simulator.issueClientCertificate(
                topics: [SimulatorFixture.bundleID], environments: [.production])
            try await expect(["BadCertificateEnvironment"], from: [.alert(to: token, auth: nil)], fixture, production)
            try await SimulatorFixture.with { stranger in
                let foreign = try stranger.simulator.issueClientCertificate(topics: [SimulatorFixture.bundleID])
                try await expect(["BadCertificate"], from: [.alert(to: token, auth: nil)], fixture, foreign)
            }
        }
    }

    @Test("a certificate with an end is taken until then")
    func endOfCertificate() async throws {
        try await SimulatorFixture.with { fixture in
            let token = fixture.token()
            let certificate = try fixture.simulator.issueClientCertificate(
                topics: [SimulatorFixture.bundleID], end: fixture.clock.now + .seconds(3600))
            try await expect([nil], from: [.alert(to: token, auth: nil)], fixture, certificate)
            fixture.clock.advance(by: .seconds(3601))
            try await expect(["BadCertificate"], from: [.alert(to: token, auth: nil)], fixture, certificate)
        }
    }

    private func other(_ key: P256.Signing.PrivateKey, team: String, related: String?) -> SimulatorKey {
        SimulatorKey(
            keyID: "OTHERKEY00", teamID: team, publicKeyPEM: key.publicKey.pemRepresentation, relatedKeyID: related)
    }
}
