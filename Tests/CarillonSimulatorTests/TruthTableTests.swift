import CarillonCore
import CarillonSimulator
import Testing

/// One line of the table: a request that is wrong in one way, and what APNs says to it.
private struct Line {
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
            func line(_ reason: RejectionReason, _ auth: JSONValue?) -> Line {
                Line(reason, .alert(to: token, auth: auth))
            }
            try await check(
                fixture,
                [
                    Line(accepted: .alert(to: token)),
                    Line(accepted: .alert(to: token, auth: ["claims": ["iat": .int(now - 3600)]])),
                    Line(accepted: .alert(to: token, auth: ["claims": ["iat": .int(now + 60)]])),
                    line(.missingProviderToken, nil),
                    line(.missingProviderToken, "bearer "),
                    line(.invalidProviderToken, "basic dXNlcjpwYXNz"),
                    line(.invalidProviderToken, "bearer not.a.token"),
                    line(.invalidProviderToken, "bearer onepart"),
                    line(.invalidProviderToken, ["tamper": true]),
                    line(.invalidProviderToken, ["algorithm": "HS256"]),
                    line(.invalidProviderToken, ["algorithm": "none"]),
                    line(.invalidProviderToken, ["header": ["kid": "OTHERKEY00"]]),
                    line(.invalidProviderToken, ["header": ["kid": nil]]),
                    line(.invalidProviderToken, ["claims": ["iss": "OTHERTEAM0"]]),
                    line(.invalidProviderToken, ["claims": ["iss": nil]]),
                    line(.invalidProviderToken, ["claims": ["iat": nil]]),
                    line(.invalidProviderToken, ["claims": ["iat": .string("\(now)")]]),
                    line(.invalidProviderToken, ["claims": ["iat": .int(now + 61)]]),
                    line(.invalidProviderToken, ["claims": ["iat": .int(.max)]]),
                    line(.expiredProviderToken, ["claims": ["iat": .int(.min)]]),
                    line(.expiredProviderToken, ["claims": ["iat": .int(now - 3601)]]),
                ])
        }
    }

    @Test("Request: every flaw of a header or path has its reason")
    func headers() async throws {
        try await SimulatorFixture.with { fixture in
            let token = fixture.token()
            let elsewhere = fixture.token(topic: "com.example.other")
            func line(_ reason: RejectionReason, _ replacing: [String: String?]) -> Line {
                Line(reason, .alert(to: token, replacing: replacing))
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
                    Line(.badPath, at("/")), Line(.badPath, at("/3/devices/00")), Line(.badPath, at("/3/device/00/11")),
                    Line(.methodNotAllowed, at("/3/device/\(token.hex)", method: "PUT")),
                    Line(.methodNotAllowed, at("/3/device/\(token.hex)", method: "GET")),
                    Line(.missingDeviceToken, at("/3/device/")),
                    Line(.badDeviceToken, at("/3/device/xyz")), Line(.badDeviceToken, at("/3/device/00ff")),
                    Line(accepted: at("/3/device/\(token.hex.uppercased())")),
                    Line(.duplicateHeaders, twice),
                    line(.badMessageID, ["apns-id": "123"]),
                    line(.invalidPushType, ["apns-push-type": nil]),
                    line(.invalidPushType, ["apns-push-type": "Alert"]),
                    line(.badPriority, ["apns-priority": "7"]), line(.badPriority, ["apns-priority": "high"]),
                    line(.badPriority, ["apns-push-type": "background", "apns-priority": "10"]),
                    Line(accepted: .alert(to: token, replacing: ["apns-priority": "1"])),
                    line(.badExpirationDate, ["apns-expiration": "tomorrow"]),
                    line(.badExpirationDate, ["apns-expiration": "-1"]),
                    line(.badCollapseID, ["apns-collapse-id": String(repeating: "x", count: 65)]),
                    Line(
                        accepted: .alert(to: token, replacing: ["apns-collapse-id": String(repeating: "x", count: 64)])),
                    line(.missingTopic, ["apns-topic": nil]),
                    line(.badTopic, ["apns-topic": "not a topic"]),
                    line(.topicDisallowed, ["apns-topic": "com.example.unknown"]),
                    line(.topicDisallowed, ["apns-push-type": "voip"]),
                    Line(.deviceTokenNotForTopic, .alert(to: elsewhere)),
                    Line(.payloadEmpty, .alert(to: token, body: "")),
                    Line(.payloadEmpty, .alert(to: token, body: "{}")),
                    Line(.payloadEmpty, .alert(to: token, body: #"{"aps":{}}"#)),
                    Line(.payloadEmpty, .alert(to: token, body: #"{"aps":{"alert":"x"}"#)),
                ])
        }
    }

    @Test("410: an invalidated token is Unregistered, with the time since when in milliseconds")
    func unregistered() async throws {
        try await SimulatorFixture.with { fixture in
            let token = fixture.token()
            fixture.simulator.devices.invalidate(token.data)
            fixture.clock.advance(by: .seconds(5))
            let answer = try #require(try await ForeignSender(fixture: fixture).play([.alert(to: token)]).first)
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
            let answers = try await ForeignSender(fixture: fixture).play([.alert(to: token), .alert(to: other)])
            #expect(answers.map(\.reason) == ["ExpiredToken", "BadDeviceToken"])
            #expect(answers.first?.timestamp == Int(SimulatorFixture.start.millisecondsSince1970))
        }
    }

    private func check(_ fixture: SimulatorFixture, _ lines: [Line], _ location: SourceLocation = #_sourceLocation)
        async throws
    {
        let answers = try await ForeignSender(fixture: fixture).play(lines.map { [$0.request] })
        #expect(answers.count == lines.count)
        for (number, (line, answer)) in zip(lines, answers.compactMap(\.first)).enumerated() {
            #expect(answer.status == line.status, "line \(number): \(answer)", sourceLocation: location)
            #expect(answer.reason == line.reason, "line \(number): \(answer)", sourceLocation: location)
            #expect(answer.headers["apns-id"] != nil, "line \(number) has no apns-id", sourceLocation: location)
        }
    }
}
