import CarillonCore
import CarillonSimulator
import Testing

/// One row of the table: a request that is wrong in one way, and what APNs says to it.
private struct Row {
    var request: ForeignSender.Request
    var status: Int
    var reason: String?

    init(_ reason: RejectionReason, _ request: ForeignSender.Request) {
        self.request = request
        status = reason.status
        self.reason = reason.rawValue
    }

    init(accepted request: ForeignSender.Request) {
        self.request = request
        status = 200
    }
}

@Suite("The truth table, provoked by httpx and PyJWT")
struct TruthTableTests {
    @Test("JWT: every flaw of a provider token has its reason")
    func providerTokens() async throws {
        try await SimulatorFixture.with { fixture in
            let token = fixture.token()
            let now = fixture.clock.now.secondsSince1970
            func row(_ reason: RejectionReason, _ auth: JSONValue?) -> Row {
                Row(reason, .alert(to: token, auth: auth))
            }
            try await check(
                fixture,
                [
                    Row(accepted: .alert(to: token)),
                    Row(accepted: .alert(to: token, auth: ["claims": ["iat": .int(now - 3600)]])),
                    Row(accepted: .alert(to: token, auth: ["claims": ["iat": .int(now + 60)]])),
                    row(.missingProviderToken, nil),
                    row(.missingProviderToken, "bearer "),
                    row(.invalidProviderToken, "basic dXNlcjpwYXNz"),
                    row(.invalidProviderToken, "bearer not.a.token"),
                    row(.invalidProviderToken, "bearer onepart"),
                    row(.invalidProviderToken, ["tamper": true]),
                    row(.invalidProviderToken, ["algorithm": "HS256"]),
                    row(.invalidProviderToken, ["algorithm": "none"]),
                    row(.invalidProviderToken, ["header": ["kid": "OTHERKEY00"]]),
                    row(.invalidProviderToken, ["header": ["kid": nil]]),
                    row(.invalidProviderToken, ["claims": ["iss": "OTHERTEAM0"]]),
                    row(.invalidProviderToken, ["claims": ["iss": nil]]),
                    row(.invalidProviderToken, ["claims": ["iat": nil]]),
                    row(.invalidProviderToken, ["claims": ["iat": .string("\(now) s")]]),
                    row(.invalidProviderToken, ["claims": ["iat": ""]]),
                    row(.invalidProviderToken, ["claims": ["iat": .string("99999999999999999999")]]),
                    row(.invalidProviderToken, ["claims": ["iat": .int(now + 61)]]),
                    row(.invalidProviderToken, ["claims": ["iat": .int(.max)]]),
                    row(.expiredProviderToken, ["claims": ["iat": .int(.min)]]),
                    row(.expiredProviderToken, ["claims": ["iat": .int(now - 3601)]]),
                ])
        }
    }

    @Test("Request: every flaw of a header or path has its reason")
    func headers() async throws {
        try await SimulatorFixture.with { fixture in
            let token = fixture.token()
            let elsewhere = fixture.token(topic: "com.example.other")
            func row(_ reason: RejectionReason, _ replacing: [String: String?]) -> Row {
                Row(reason, .alert(to: token, replacing: replacing))
            }
            func at(_ path: String, method: String = "POST") -> ForeignSender.Request {
                var request = ForeignSender.Request.alert(to: token)
                (request.path, request.method) = (path, method)
                return request
            }
            var twice = ForeignSender.Request.alert(to: token)
            twice.headers.append(("apns-topic", SimulatorFixture.bundleID))
            try await check(
                fixture,
                [
                    Row(.badPath, at("/")), Row(.badPath, at("/3/devices/00")), Row(.badPath, at("/3/device/00/11")),
                    Row(.methodNotAllowed, at("/3/device/\(token.hex)", method: "PUT")),
                    Row(.methodNotAllowed, at("/3/device/\(token.hex)", method: "GET")),
                    Row(.missingDeviceToken, at("/3/device/")),
                    Row(.badDeviceToken, at("/3/device/xyz")), Row(.badDeviceToken, at("/3/device/00ff")),
                    Row(accepted: at("/3/device/\(token.hex.uppercased())")),
                    Row(.duplicateHeaders, twice),
                    row(.badMessageID, ["apns-id": "123"]),
                    row(.invalidPushType, ["apns-push-type": "Alert"]),
                    row(.badPriority, ["apns-priority": "7"]), row(.badPriority, ["apns-priority": "high"]),
                    row(.badPriority, ["apns-push-type": "background", "apns-priority": "10"]),
                    Row(accepted: .alert(to: token, replacing: ["apns-priority": "1"])),
                    row(.badExpirationDate, ["apns-expiration": "tomorrow"]),
                    row(.badExpirationDate, ["apns-expiration": "-1"]),
                    row(.badCollapseID, ["apns-collapse-id": String(repeating: "x", count: 65)]),
                    Row(
                        accepted: .alert(to: token, replacing: ["apns-collapse-id": String(repeating: "x", count: 64)])),
                    row(.missingTopic, ["apns-topic": nil]),
                    row(.badTopic, ["apns-topic": "not a topic"]),
                    row(.topicDisallowed, ["apns-topic": "com.example.unknown"]),
                    row(.topicDisallowed, ["apns-push-type": "voip"]),
                    Row(.deviceTokenNotForTopic, .alert(to: elsewhere)),
                    Row(.payloadEmpty, .alert(to: token, body: "")),
                    Row(.payloadEmpty, .alert(to: token, body: "{}")),
                    Row(.payloadEmpty, .alert(to: token, body: #"{"aps":{}}"#)),
                    Row(.payloadEmpty, .alert(to: token, body: #"{"aps":{"alert":"x"}"#)),
                ])
        }
    }

    @Test("410: an invalidated token is Unregistered, with the time since when in milliseconds")
    func unregistered() async throws {
        try await SimulatorFixture.with { fixture in
            let token = fixture.token()
            fixture.simulator.devices.invalidate(token.data)
            fixture.clock.advance(by: .seconds(5))
            let answer = try #require(try await ForeignSender(fixture: fixture).send([.alert(to: token)]).first)
            #expect(answer.status == 410)
            #expect(answer.reason == "Unregistered")
            #expect(answer.timestamp == Int(SimulatorFixture.start.millisecondsSince1970))
        }
    }

    @Test("410: a token that has come of age is ExpiredToken, and one of the other environment BadDeviceToken")
    func expiredToken() async throws {
        try await SimulatorFixture.with { fixture in
            let token = fixture.token()
            let data = fixture.simulator.devices.issueToken(
                device: "phone", topic: SimulatorFixture.bundleID, environment: .production)
            let other = try #require(DeviceToken(data))
            fixture.simulator.devices.expire(token.data)
            let answers = try await ForeignSender(fixture: fixture).send([.alert(to: token), .alert(to: other)])
            #expect(answers.map(\.reason) == ["ExpiredToken", "BadDeviceToken"])
            #expect(answers.first?.timestamp == Int(SimulatorFixture.start.millisecondsSince1970))
        }
    }

    private func check(_ fixture: SimulatorFixture, _ rows: [Row], _ location: SourceLocation = #_sourceLocation)
        async throws
    {
        let answers = try await ForeignSender(fixture: fixture).send(rows.map { [$0.request] })
        #expect(answers.count == rows.count)
        for (number, (row, answer)) in zip(rows, answers.compactMap(\.first)).enumerated() {
            #expect(answer.status == row.status, "row \(number): \(answer)", sourceLocation: location)
            #expect(answer.reason == row.reason, "row \(number): \(answer)", sourceLocation: location)
            #expect(answer.headers["apns-id"] != nil, "row \(number) has no apns-id", sourceLocation: location)
        }
    }
}
