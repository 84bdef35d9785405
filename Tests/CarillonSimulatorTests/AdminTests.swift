import CarillonCore
import Foundation
import Testing

@testable import CarillonSimulator

@Suite("The admin API, used by Python's http.client")
struct AdminTests {
    private func run(_ fixture: SimulatorFixture, _ steps: [JSONValue]) async throws -> [JSONValue] {
        let url = try #require(fixture.simulator.adminURL)
        return try await ForeignProgram.python("admin.py", input: ["url": .string(url), "steps": .array(steps)])
            .arrayValue ?? []
    }

    private func step(
        _ method: String, _ path: String, _ body: JSONValue? = nil, headers: [String: JSONValue] = [:]
    ) -> JSONValue {
        var members: [String: JSONValue] = ["method": .string(method), "path": .string(path)]
        members["body"] = body
        members["headers"] = .object(headers)
        return .object(members)
    }

    @Test("a web page of another site can neither change nor read anything; a program needs no header")
    func otherSites() async throws {
        try await SimulatorFixture.with({
            $0.adminPort = 0
            $0.hostNames = ["apns.test"]
        }) { fixture in
            let url = try #require(fixture.simulator.adminURL)
            let host = JSONValue.string(url.replacing("http://", with: ""))
            let answers = try await run(
                fixture,
                [
                    step("GET", "/requests", headers: ["Host": "evil.example"]),
                    step("GET", "/devices", headers: ["Sec-Fetch-Site": "cross-site"]),
                    step("POST", "/goaway", headers: ["Origin": "http://evil.example"]),
                    step("POST", "/goaway", headers: ["Origin": "null"]),
                    step(
                        "PUT", "/faults", ["go_away_every": 1],
                        headers: ["Origin": .string(url), "Content-Type": "text/plain"]),
                    step("PUT", "/faults", ["go_away_every": 1], headers: ["Host": "127.0.0.1.evil.example"]),
                    step("GET", "/faults", headers: ["Host": "apns.test:2198"]),
                    step("GET", "/faults", headers: ["Host": host, "Origin": .string(url), "Sec-Fetch-Site": "none"]),
                    step(
                        "PUT", "/faults", ["go_away_every": 5],
                        headers: ["Origin": .string(url), "Content-Type": "application/json; charset=utf-8"]),
                    step("PUT", "/faults", ["go_away_every": 6]),
                ])
            #expect(
                answers.map { $0["status"]?.intValue } == [403, 403, 403, 403, 415, 403, 200, 200, 200, 200])
            #expect(answers[0]["body"]?["detail"]?.stringValue?.contains("host_names") == true)
            #expect(fixture.simulator.faults.plan.goAwayEvery == 6)
        }
    }

    @Test(
        "a name that a call does not know, in its query or in its body, is refused with those that it knows",
        arguments: [
            (
                "GET", "/events?aftr=1", nil,
                "aftr is not known in the query of this call; did you mean after? Known are after"
            ),
            ("GET", "/events?after=1&after=2", nil, "after is given more than once"),
            ("GET", "/faults?after=1", nil, "after is not known here; the query of this call has no names"),
            ("DELETE", "/tokens/00?why=expired", nil, "Known are reason"),
            ("POST", "/goaway", ["closeing": false], "did you mean closing? Known are closing, reason"),
            ("POST", "/goaway", ["closing": "no"], "closing is true or false"),
            ("PUT", "/connections", ["streams": 3, "stream": 1], "stream is not known in the body"),
            ("PUT", "/listening", ["listening": true, "port": 1], "Known are listening"),
            ("POST", "/clock", ["advance_seconds": 1, "advance": 1], "Known are advance_seconds"),
            ("POST", "/devices/d/tokens", ["topics": "a"], "did you mean topic? Known are environment, new, topic"),
            ("POST", "/devices/d/tokens", ["topic": 7], "topic is a bundle id"),
            ("POST", "/devices/d/tokens", ["new": "yes"], "new is true, for a further token, or false"),
            ("POST", "/devices/d/tokens", ["environment": 7], "environment is production or sandbox"),
            ("PUT", "/devices/d/power", ["power": "idle", "for": 3], "Known are power"),
            ("PUT", "/devices/d/channels", ["channels": [], "chanels": []], "Known are channels, topic"),
            (
                "POST", "/fleet/tokens", ["devices": ["a"], "n": 1],
                "Known are count, devices, environment, prefix, topic"
            ),
            ("POST", "/fleet/tokens", ["devices": ["a"], "count": 1], "devices, or prefix and count: not both"),
            ("POST", "/fleet/pushes", ["devices": ["a"], "topic": "a"], "Known are count, devices, prefix"),
            ("PUT", "/fleet/channels", ["devices": ["a"], "channels": [], "x": 1], "x is not known in the body"),
            ("POST", "/tokens/00/answers", ["answers": [], "answer": []], "Known are answers"),
            (
                "POST", "/tokens/00/answers", ["answers": [["reset": 7, "code": 1]]],
                "code is not known in such a fault"
            ),
            ("POST", "/tokens/00/answers", ["answers": [["status": 500, "bodi": ""]]], "did you mean body?"),
            ("POST", "/answers", ["answers": [], "answer": []], "Known are answers"),
            (
                "POST", "/answers", ["answers": [["status": 503, "retry_after_seconds": -1]]],
                "retry_after_seconds is a whole number from 0"
            ),
            ("POST", "/tokens/00/answers", ["answers": [["status": 500, "body": 1]]], "the body of a fault is a text"),
            ("PUT", "/faults", ["latency": ["mean_ms": 1, "max_ms": 2]], "max_ms is not known in such a latency"),
            ("PUT", "/faults", ["latency": ["from_ms": 1, "to_ms": 2, "mean_ms": 2]], "Known are from_ms, to_ms"),
            (
                "PUT", "/faults", ["patience": ["slow_after": 1, "close_after": 2, "x": 3]],
                "x is not known in patience"
            ),
            (
                "PUT", "/faults", ["rates": [["fault": "cut", "probability": 1, "for": 2]]],
                "for is not known in a rate"
            ),
            (
                "PUT", "/delivery", ["request_budget": ["count": 1, "per_seconds": 2, "burst": 3]],
                "burst is not known in request_budget"
            ),
        ] as [(String, String, JSONValue?, String)])
    func unknownNames(_ method: String, _ path: String, _ body: JSONValue?, _ detail: String) async throws {
        try await SimulatorFixture.with({ $0.adminPort = 0 }) { fixture in
            let answer = try #require(try await run(fixture, [step(method, path, body)]).first)
            #expect(answer["status"] == 400, "\(answer)")
            #expect(answer["body"]?["detail"]?.stringValue?.contains(detail) == true, "\(answer)")
        }
    }

    @Test("a path that is not there is not there with a query either")
    func unknownPath() async throws {
        try await SimulatorFixture.with({ $0.adminPort = 0 }) { fixture in
            let answer = try #require(try await run(fixture, [step("GET", "/evnts?after=1")]).first)
            #expect(answer["status"] == 404, "\(answer)")
        }
    }

    @Test("it says what a sender needs, and hands out the certificate to trust")
    func description() async throws {
        try await SimulatorFixture.with({ $0.adminPort = 0 }) { fixture in
            let answers = try await run(fixture, [step("GET", "/simulator.json"), step("GET", "/ca.pem")])
            #expect(answers[0]["body"]?["port"]?.intValue == fixture.simulator.port)
            #expect(answers[0]["body"]?["team_id"]?.stringValue == fixture.simulator.teamID)
            #expect(answers[1]["body"]?.stringValue == fixture.simulator.caCertificatePEM)
        }
    }

    @Test("a device attached over it is online: it gets what waited, what comes, and its token can die")
    func device() async throws {
        try await SimulatorFixture.with({ $0.adminPort = 0 }) { fixture in
            let issued = try await run(
                fixture, [step("POST", "/devices/far%20phone/tokens", ["topic": .string(SimulatorFixture.bundleID)])])
            let token = try #require(issued[0]["body"]?["token"]?.stringValue.flatMap(DeviceToken.init(hex:)))
            #expect(issued[0]["status"] == 201)
            let sender = ForeignSender(fixture: fixture)
            _ = try await sender.send([.alert(to: token, replacing: ["apns-collapse-id": "first"])])
            async let taken = run(
                fixture,
                [
                    ["attach": "far%20phone"], ["take": "far%20phone", "count": 2], ["detach": "far%20phone"],
                    step("DELETE", "/tokens/\(token.hex)"),
                ])
            _ = await fixture.event { if case .delivered = $0.device?.kind { true } else { nil } }
            _ = try await sender.send([.alert(to: token, replacing: ["apns-collapse-id": "second"])])
            let answers = try await taken
            #expect(answers[0].arrayValue?.map { $0["collapse_id"] } == ["first", "second"])
            #expect(answers[0].arrayValue?.first?["payload"]?["aps"]?["alert"] == "Hello")
            #expect(answers[1]["status"] == 204)
            #expect(try await sender.send([.alert(to: token)]).map(\.status) == [410])
            let offline = await fixture.event { $0.device?.kind == .disconnected ? $0.device?.device : nil }
            #expect(offline == "far phone")
        }
    }

    @Test("faults, scripts and delivery rules are set, read back, and obeyed")
    func settings() async throws {
        try await SimulatorFixture.with({ $0.adminPort = 0 }) { fixture in
            let token = fixture.token()
            let plan: JSONValue = [
                "rates": [["fault": "InternalServerError", "probability": 1]], "latency": ["constant_ms": 0],
            ]
            let answers = try await run(
                fixture,
                [
                    step("PUT", "/faults", plan),
                    step("POST", "/tokens/\(token.hex)/answers", ["answers": ["Shutdown", .null]]),
                    step("PUT", "/delivery", ["storage": "per-collapse-id"]), step("GET", "/faults"),
                ])
            #expect(answers.map { $0["status"]?.intValue } == [200, 204, 200, 200])
            #expect(answers[3]["body"]?["rates"]?.arrayValue?.first?["fault"] == "InternalServerError")
            #expect(fixture.simulator.devices.rules.storage == .perCollapseID)
            let sent = try await ForeignSender(fixture: fixture).send(Array(repeating: .alert(to: token), count: 3))
            #expect(sent.map(\.status) == [503, 200, 500])
            _ = try await run(fixture, [step("DELETE", "/faults")])
            #expect(fixture.simulator.faults.plan == FaultPlan())
        }
    }

    @Test(
        "a plan and rules are taken as they are shown",
        arguments: [[:], ["go_away_every": 3, "clock_skew_seconds": -60]])
    func shownAndTaken(members: [String: JSONValue]) throws {
        let plan = try FaultPlan(json: members)
        #expect(try FaultPlan(json: #require(plan.json.objectValue)) == plan)
        let rules = DeliveryRules()
        #expect(try DeliveryRules(json: #require(rules.json.objectValue)) == rules)
    }

    @Test(
        "a number or list that is none is refused, and so is a time beyond ten years",
        arguments: [
            ["rates": 5], ["rates": "often"], ["clock_skew_seconds": .int(.max)], ["clock_skew_seconds": .int(.min)],
        ] as [[String: JSONValue]])
    func outOfRange(plan: [String: JSONValue]) {
        #expect(throws: AdminProblem.self) { try FaultPlan(json: plan) }
    }

    @Test(
        "a rule's time is at most ten years",
        arguments: [
            ["unregistered_delay_seconds": .int(.max)],
            ["background_budget": ["count": 1, "per_seconds": .int(.max)]],
        ] as [[String: JSONValue]])
    func rulesOutOfRange(rules: [String: JSONValue]) {
        #expect(throws: AdminProblem.self) { try DeliveryRules(json: rules) }
    }

    @Test("a mistake is answered with what is wrong, and changes nothing")
    func mistakes() async throws {
        try await SimulatorFixture.with({ $0.adminPort = 0 }) { fixture in
            let answers = try await run(
                fixture,
                [
                    step("PUT", "/faults", ["latency": ["constant_ms": -1]]),
                    step("PUT", "/faults", ["latency": ["from_ms": 0, "to_ms": .int(.max)]]),
                    step("PUT", "/faults", ["latenzy": .null]), step("PUT", "/delivery", ["storage": "many"]),
                    step("GET", "/nowhere"), step("POST", "/devices/a/tokens", ["environment": "moon"]),
                    step("DELETE", "/tokens/xyz"), step("PUT", "/devices/a/power", ["power": "off"]),
                    step("POST", "/goaway", ["reason": "Bored"]), step("PUT", "/connections", ["streams": 0]),
                    step("GET", "/events?after=abc"), step("GET", "/requests?after=-1"),
                ])
            #expect(
                answers.map { $0["status"]?.intValue }
                    == [400, 400, 400, 400, 404, 400, 400, 400, 400, 400, 400, 400])
            #expect(answers.allSatisfy { $0["body"]?["detail"]?.stringValue?.isEmpty == false })
            #expect(fixture.simulator.faults.plan == FaultPlan())
            #expect(fixture.simulator.devices.rules == DeliveryRules())
        }
    }

    @Test("what happened is read as JSON, as a live stream and as Prometheus counters, without secrets")
    func inspection() async throws {
        try await SimulatorFixture.with({ $0.adminPort = 0 }) { fixture in
            let token = fixture.token()
            _ = try await ForeignSender(fixture: fixture).send([.alert(to: token), .alert(to: token, auth: nil)])
            let answers = try await run(
                fixture,
                [
                    step("GET", "/requests"), step("GET", "/metrics"), step("GET", "/devices"),
                    ["attach": "log", "path": "/events/stream"], ["take": "log", "count": 5],
                    step("DELETE", "/events"), step("GET", "/events"),
                ])
            let requests = try #require(answers[0]["body"]?.arrayValue?.compactMap { $0["request"] })
            #expect(requests.map { $0["status"]?.intValue } == [200, 403])
            #expect(requests[1]["reason"] == "MissingProviderToken")
            #expect(!"\(requests)".contains("eyJ"))
            let metrics = answers[1]["body"]?.stringValue ?? ""
            #expect(metrics.contains("carillon_apns_accepted_total 1\n"))
            #expect(metrics.contains(#"carillon_apns_rejected_total{reason="MissingProviderToken"} 1"#))
            #expect(answers[2]["body"]?.arrayValue?.first?["stored"] == 1)
            #expect(answers[3].arrayValue?.compactMap { $0["number"]?.intValue } == [1, 2, 3, 4, 5])
            #expect(answers[5]["body"] == [])
        }
    }

    @Test("it takes the host away and back, limits and cuts connections, and moves a virtual clock")
    func control() async throws {
        try await SimulatorFixture.with({ $0.adminPort = 0 }) { fixture in
            let token = fixture.token()
            let sender = ForeignSender(fixture: fixture)
            var answers = try await run(
                fixture,
                [
                    step("PUT", "/listening", ["listening": false]), step("DELETE", "/connections"),
                    step("POST", "/clock", ["advance_seconds": 90]),
                ])
            #expect(answers.map { $0["status"]?.intValue } == [204, 200, 200])
            #expect(fixture.clock.now == SimulatorFixture.start + .seconds(90))
            #expect(try await sender.send([.alert(to: token)]).first?.error != nil)
            answers = try await run(fixture, [step("PUT", "/listening", ["listening": true])])
            #expect(try await sender.send([.alert(to: token)]).map(\.status) == [200])
        }
    }
}
