import CarillonCore
import CarillonSimulator
import Crypto
import Foundation
import Testing

@Suite("Credentials over one connection, by httpx and PyJWT")
struct CredentialTests {
    /// `nil` stands for 200.
    private func expect(
        _ reasons: [String?], from requests: [ForeignSender.Request], _ stage: Stage,
        _ certificate: IssuedCertificate? = nil, location: SourceLocation = #_sourceLocation
    ) async throws {
        let setup: JSONValue? = certificate.map {
            [
                "client_certificate": .string($0.certificatePEM + "\n"), "client_key": .string($0.privateKeyPEM),
            ]
        }
        let answers = try await ForeignSender(stage: stage).play([requests], setups: setup.map { [0: $0] } ?? [:])
        let found = answers.first?.map { $0.status == 200 ? nil : $0.reason ?? $0.error }
        #expect(found == reasons, sourceLocation: location)
    }

    @Test("JWT: a new token within 20 minutes on one connection is TooManyProviderTokenUpdates")
    func tooManyUpdates() async throws {
        try await Stage.with { stage in
            let (token, now) = (stage.token(), stage.clock.now.secondsSince1970)
            func issued(_ secondsAgo: Int64) -> ForeignSender.Request {
                .alert(to: token, auth: ["claims": ["iat": .int(now - secondsAgo)]])
            }
            try await expect(
                [nil, nil, "TooManyProviderTokenUpdates", nil],
                from: [issued(1199), issued(1199), issued(0), issued(1199)], stage)
            try await expect([nil, nil], from: [issued(1200), issued(0)], stage)
        }
    }

    @Test("JWT: one team per connection; a token of another team is invalid there, and good on a connection of its own")
    func oneTeam() async throws {
        let key = P256.Signing.PrivateKey()
        try await Stage.with({ $0.furtherKeys = [other(key, team: "OTHERTEAM0", related: nil)] }) { stage in
            let token = stage.token()
            let foreign = ForeignSender.Request.alert(
                to: token,
                auth: [
                    "key": .string(key.pemRepresentation), "header": ["kid": "OTHERKEY00"],
                    "claims": ["iss": "OTHERTEAM0"],
                ])
            try await expect([nil, "InvalidProviderToken"], from: [.alert(to: token), foreign], stage)
            try await expect([nil], from: [foreign], stage)
        }
    }

    @Test("JWT: a key unrelated to the connection's first one is UnrelatedKeyIdInToken; a related one is not")
    func relation() async throws {
        let key = P256.Signing.PrivateKey()
        for related in [nil, "SIMKEY0001"] {
            try await Stage.with({ $0.furtherKeys = [other(key, team: "SIMTEAM001", related: related)] }) { stage in
                let token = stage.token()
                let second = ForeignSender.Request.alert(
                    to: token, auth: ["key": .string(key.pemRepresentation), "header": ["kid": "OTHERKEY00"]])
                try await expect(
                    [nil, related == nil ? "UnrelatedKeyIdInToken" : nil], from: [.alert(to: token), second], stage)
            }
        }
    }

    @Test("JWT: a key of the other environment is BadEnvironmentKeyIdInToken")
    func environment() async throws {
        let key = P256.Signing.PrivateKey()
        try await Stage.with({
            $0.furtherKeys = [other(key, team: "SIMTEAM001", related: nil)]
            $0.furtherKeys[0].environments = [.production]
        }) { stage in
            let request = ForeignSender.Request.alert(
                to: stage.token(), auth: ["key": .string(key.pemRepresentation), "header": ["kid": "OTHERKEY00"]])
            try await expect(["BadEnvironmentKeyIdInToken"], from: [request], stage)
        }
    }

    @Test("JWT: a topic-specific key sends for its topics only")
    func topicKey() async throws {
        let key = P256.Signing.PrivateKey()
        try await Stage.with({
            $0.furtherKeys = [other(key, team: "SIMTEAM001", related: nil)]
            $0.furtherKeys[0].topics = ["com.example.other"]
        }) { stage in
            let auth: JSONValue = ["key": .string(key.pemRepresentation), "header": ["kid": "OTHERKEY00"]]
            let allowed = ForeignSender.Request.alert(
                to: stage.token(topic: "com.example.other"), replacing: ["apns-topic": "com.example.other"],
                auth: auth)
            try await expect(["TopicDisallowed", nil], from: [.alert(to: stage.token(), auth: auth), allowed], stage)
        }
    }

    @Test("a certificate sends for its topic without a token, and needs no apns-topic")
    func certificate() async throws {
        try await Stage.with { stage in
            let token = stage.token()
            let certificate = try stage.simulator.issueClientCertificate(topics: [Stage.bundleID])
            try await expect(
                [nil, nil, "TopicDisallowed", "TopicDisallowed", "Forbidden"],
                from: [
                    .alert(to: token, auth: nil), .alert(to: token, replacing: ["apns-topic": nil], auth: nil),
                    .alert(to: token, replacing: ["apns-topic": "com.example.other"], auth: nil),
                    // Unlike a key, a certificate covers no suffix that does not stand in it.
                    .alert(
                        to: token, replacing: ["apns-push-type": "voip", "apns-topic": "\(Stage.bundleID).voip"],
                        auth: nil),
                    .alert(
                        to: token,
                        replacing: [
                            "apns-push-type": "location", "apns-topic": "\(Stage.bundleID).location-query",
                        ], auth: nil),
                ], stage, certificate)
        }
    }

    @Test("a certificate with several topics lists them, and then each request names its topic")
    func universalCertificate() async throws {
        try await Stage.with { stage in
            let token = stage.token()
            let voip = "\(Stage.bundleID).voip"
            let certificate = try stage.simulator.issueClientCertificate(topics: [Stage.bundleID, voip])
            try await expect(
                ["MissingTopic", nil, nil],
                from: [
                    .alert(to: token, replacing: ["apns-topic": nil], auth: nil), .alert(to: token, auth: nil),
                    .alert(to: token, replacing: ["apns-topic": voip, "apns-push-type": "voip"], auth: nil),
                ], stage, certificate)
        }
    }

    @Test("a certificate for the other environment, or of another authority, is refused with its reason")
    func badCertificates() async throws {
        try await Stage.with { stage in
            let token = stage.token()
            let production = try stage.simulator.issueClientCertificate(
                topics: [Stage.bundleID], environments: [.production])
            try await expect(["BadCertificateEnvironment"], from: [.alert(to: token, auth: nil)], stage, production)
            try await Stage.with { stranger in
                let foreign = try stranger.simulator.issueClientCertificate(topics: [Stage.bundleID])
                try await expect(["BadCertificate"], from: [.alert(to: token, auth: nil)], stage, foreign)
            }
        }
    }

    private func other(_ key: P256.Signing.PrivateKey, team: String, related: String?) -> SimulatorKey {
        SimulatorKey(
            keyID: "OTHERKEY00", teamID: team, publicKeyPEM: key.publicKey.pemRepresentation, relatedKeyID: related)
    }
}
