import CarillonCore
import CarillonSimulator
import Testing

@Suite("Push types and topic suffix, by httpx")
struct PushTypeTests {
    /// Written down anew from Apple's table, not taken from either side's code.
    private static let suffixes: [(String, String)] = [
        ("accessory", ".push-type.accessory"), ("alert", ""), ("background", ""), ("complication", ".complication"),
        ("controls", ".push-type.controls"),
        ("fileprovider", ".pushkit.fileprovider"), ("liveactivity", ".push-type.liveactivity"),
        ("location", ".location-query"), ("pushtotalk", ".voip-ptt"), ("voip", ".voip"),
        ("widgets", ".push-type.widgets"),
    ]

    @Test("Push types and topic suffix: each type goes through with its suffix and is refused without it")
    func suffixes() async throws {
        try await SimulatorFixture.with { fixture in
            let token = fixture.token()
            let right = Self.suffixes.map { type, suffix in
                [
                    ForeignSender.Request.alert(
                        to: token,
                        replacing: [
                            "apns-push-type": type, "apns-topic": SimulatorFixture.bundleID + suffix,
                            "apns-priority": "5",
                        ]
                    )
                ]
            }
            let wrong = Self.suffixes.filter { $0.1 != "" }.map { type, _ in
                [ForeignSender.Request.alert(to: token, replacing: ["apns-push-type": type])]
            }
            let answers = try await ForeignSender(fixture: fixture).send(right + wrong).compactMap(\.first)
            #expect(answers.prefix(right.count).map(\.status) == right.map { _ in 200 })
            #expect(answers.suffix(wrong.count).map(\.reason) == wrong.map { _ in "TopicDisallowed" })
        }
    }

    @Test("Push types: mdm needs a certificate whose UID is the topic, and no aps dictionary")
    func mdm() async throws {
        let topic = "com.apple.mgmt.External.example"
        try await SimulatorFixture.with({ $0.topics.insert(topic) }) { fixture in
            let token = fixture.token(topic: topic)
            let push = { (auth: JSONValue?) in
                ForeignSender.Request.alert(
                    to: token, replacing: ["apns-push-type": "mdm", "apns-topic": topic],
                    body: #"{"mdm":"push magic"}"#, auth: auth)
            }
            let certificate = try fixture.simulator.issueClientCertificate(topics: [topic])
            let answers = try await ForeignSender(fixture: fixture).send(
                [[push([:])], [push(nil)]],
                setups: [
                    1: [
                        "client_certificate": .string(certificate.certificatePEM + "\n"),
                        "client_key": .string(certificate.privateKeyPEM),
                    ]
                ])
            #expect(answers.compactMap(\.first).map(\.status) == [403, 200])
            #expect(answers.first?.first?.reason == "Forbidden")
        }
    }

    @Test("Size: 4096 bytes pass and 4097 do not; for voip it is 5120 and 5121")
    func sizes() async throws {
        try await SimulatorFixture.with { fixture in
            let token = fixture.token()
            func push(_ byteCount: Int, voip: Bool) -> ForeignSender.Request {
                let frame = #"{"aps":{"alert":""}}"#
                let body = frame.replacing(
                    "\"\"", with: "\"\(String(repeating: "x", count: byteCount - frame.utf8.count))\"")
                let headers = ["apns-push-type": "voip", "apns-topic": "\(SimulatorFixture.bundleID).voip"]
                return .alert(to: token, replacing: voip ? headers : [:], body: body)
            }
            let answers = try await ForeignSender(fixture: fixture).send([
                push(4096, voip: false), push(4097, voip: false), push(5120, voip: true), push(5121, voip: true),
            ])
            #expect(answers.map(\.status) == [200, 413, 200, 413])
        }
    }

    @Test("Response: apns-unique-id comes in the sandbox only")
    func uniqueID() async throws {
        for environment in APNsEnvironment.allCases {
            try await SimulatorFixture.with({ $0.environment = environment }) { fixture in
                let answers = try await ForeignSender(fixture: fixture).send([.alert(to: fixture.token())])
                #expect(answers.map(\.status) == [200])
                #expect((answers.first?.headers["apns-unique-id"] != nil) == (environment == .sandbox))
            }
        }
    }

    @Test("Request: an apns-id is echoed in the case in which it came, and one is made when there is none")
    func echo() async throws {
        try await SimulatorFixture.with { fixture in
            let token = fixture.token()
            let lower = "eabeae54-14a8-11e5-b60b-1697f925ec7b"
            let answers = try await ForeignSender(fixture: fixture).send([
                .alert(to: token, replacing: ["apns-id": lower]),
                .alert(to: token, replacing: ["apns-id": lower.uppercased()]), .alert(to: token),
            ])
            let ids = answers.map { $0.headers["apns-id"] ?? "" }
            #expect(ids[0] == lower)
            #expect(ids[1] == lower.uppercased())
            #expect(ids[2].count == 36 && ids[2] == ids[2].uppercased())
        }
    }

    @Test("HEAD, GET and unknown paths: 405 without a body, 405, 404")
    func methods() async throws {
        try await SimulatorFixture.with { fixture in
            func request(_ method: String, _ path: String) -> ForeignSender.Request {
                .init(method: method, path: path, body: "", token: nil)
            }
            let path = "/3/device/\(fixture.token().hex)"
            let answers = try await ForeignSender(fixture: fixture).send([
                request("HEAD", path), request("GET", path), request("GET", "/4/nothing"),
            ])
            #expect(answers.map(\.status) == [405, 405, 404])
            #expect(answers.map(\.reason) == [nil, "MethodNotAllowed", "BadPath"])
        }
    }
}
