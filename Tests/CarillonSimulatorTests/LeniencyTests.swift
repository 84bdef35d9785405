import CarillonCore
import CarillonSimulator
import Foundation
import Testing

@Suite("What Apple's servers have been seen to accept, and the strict form")
struct LeniencyTests {
    private static let passType = "pass.com.example.ticket"

    private func reasons(
        _ requests: [ForeignSender.Request], _ fixture: SimulatorFixture
    ) async throws -> [String] {
        // Each over a connection of its own: their tokens differ, and may not change that often on one.
        try await ForeignSender(fixture: fixture).send(requests.map { [$0] }).compactMap(\.first)
            .map { $0.status == 200 ? "200" : $0.reason ?? $0.error ?? "?" }
    }

    private func notes(_ fixture: SimulatorFixture) -> [String] { fixture.simulator.requests().flatMap(\.notes) }

    @Test("a signature in DER is good, as Apple's recipe with openssl makes it, and a tampered one is not")
    func der() async throws {
        for isStrict in [false, true] {
            try await SimulatorFixture.with({ $0.isStrict = isStrict }) { fixture in
                let token = fixture.token()
                let other = ForeignSender.Request.alert(
                    to: token, auth: ["der": true, "claims": ["iss": "OTHERTEAM0"]])
                let found = try await reasons([.alert(to: token, auth: ["der": true]), other], fixture)
                #expect(found == ["200", "InvalidProviderToken"])
                #expect(notes(fixture).isEmpty)
            }
        }
    }

    @Test("iat as a text is accepted with a note, refused when it is old, and refused by strict rules")
    func issuedAtAsText() async throws {
        let now = SimulatorFixture.start.secondsSince1970
        for isStrict in [false, true] {
            try await SimulatorFixture.with({ $0.isStrict = isStrict }) { fixture in
                let requests = [now, now - 3601].map { moment in
                    ForeignSender.Request.alert(
                        to: fixture.token(), auth: ["claims": ["iat": .string("\(moment)")]])
                }
                let invalid = "InvalidProviderToken"
                let found = try await reasons(requests, fixture)
                #expect(found == (isStrict ? [invalid, invalid] : ["200", "ExpiredProviderToken"]))
                #expect(
                    notes(fixture)
                        == (isStrict
                            ? [] : ["accepted: iat is the text \"\(now)\"; RFC 7519 would have a number"]))
            }
        }
    }

    @Test("a push type that is missing is inferred from suffix and payload, and refused by strict rules")
    func missingPushType() async throws {
        for isStrict in [false, true] {
            try await SimulatorFixture.with({ $0.isStrict = isStrict }) { fixture in
                let token = fixture.token()
                let silent = #"{"aps":{"content-available":1}}"#
                func push(_ suffix: String = "", _ body: String? = nil, priority: String? = nil)
                    -> ForeignSender.Request
                {
                    .alert(
                        to: token,
                        replacing: [
                            "apns-push-type": nil, "apns-topic": SimulatorFixture.bundleID + suffix,
                            "apns-priority": priority,
                        ], body: body)
                }
                let requests = [
                    push(), push("", silent, priority: "10"), push(".voip"),
                    push("", #"{"aps":{"content-available":1,"sound":"x"}}"#),
                ]
                let found = try await reasons(requests, fixture)
                #expect(found == requests.map { _ in isStrict ? "InvalidPushType" : "200" })
                let types = isStrict ? [] : ["alert", "alert", "background", "voip"]
                #expect(
                    notes(fixture).sorted() == types.map { "accepted: apns-push-type is missing; taken for \($0)" })
                let stored = fixture.deviceEvents.compactMap(\.push).filter { $0.pushType == .background }
                #expect(stored.map(\.priority).allSatisfy { $0 == 5 })
            }
        }
    }

    @Test("pushes that say enough by coming may be empty, others not; without aps anything may stand in them")
    func emptyPayloads() async throws {
        try await SimulatorFixture.with({ $0.topics.insert(Self.passType) }) { fixture in
            let (token, pass) = (fixture.token(), fixture.token(topic: Self.passType))
            func push(_ type: String, _ suffix: String, _ body: String) -> ForeignSender.Request {
                .alert(
                    to: token,
                    replacing: ["apns-push-type": type, "apns-topic": SimulatorFixture.bundleID + suffix], body: body)
            }
            let accepted = [
                push("location", ".location-query", #"{"aps":{}}"#), push("complication", ".complication", "{}"),
                push("pushtotalk", ".voip-ptt", "{}"), push("alert", "", #"{"order":7}"#),
                push("alert", "", #"{"aps":{},"order":7}"#),
                .alert(to: pass, replacing: ["apns-topic": Self.passType], body: "{}"),
            ]
            let refused = [
                push("alert", "", "{}"), push("alert", "", #"{"aps":{}}"#), push("background", "", "{}"),
                push("location", ".location-query", ""),
                .alert(to: pass, replacing: ["apns-topic": Self.passType], body: ""),
            ]
            let found = try await reasons(accepted + refused, fixture)
            #expect(found == accepted.map { _ in "200" } + refused.map { _ in "PayloadEmpty" })
            #expect(
                notes(fixture).sorted()
                    == ["accepted: the aps dictionary is empty", "accepted: the payload has no aps dictionary"])
        }
    }

    @Test("strict rules demand aps of an alert, and still nothing of a location push or a pass")
    func strictPayloads() async throws {
        try await SimulatorFixture.with({
            $0.topics.insert(Self.passType)
            $0.isStrict = true
        }) { fixture in
            let location = ForeignSender.Request.alert(
                to: fixture.token(),
                replacing: [
                    "apns-push-type": "location", "apns-topic": SimulatorFixture.bundleID + ".location-query",
                ], body: #"{"aps":{}}"#)
            let pass = ForeignSender.Request.alert(
                to: fixture.token(topic: Self.passType), replacing: ["apns-topic": Self.passType], body: "{}")
            let plain = ForeignSender.Request.alert(to: fixture.token(), body: #"{"order":7}"#)
            let found = try await reasons([location, pass, plain], fixture)
            #expect(found == ["200", "200", "PayloadEmpty"])
        }
    }

    @Test("a scripted ExpiredProviderToken ends that token's time everywhere, and a fresh one is taken at once")
    func scriptedExpiry() async throws {
        try await SimulatorFixture.with { fixture in
            let token = fixture.token()
            func push(_ serial: String?) -> ForeignSender.Request {
                .alert(to: token, auth: serial.map { ["serial": .string($0)] } ?? [:])
            }
            fixture.simulator.faults.script([nil, .reject(.expiredProviderToken)], for: token)
            let answers = try await ForeignSender(fixture: fixture).send([
                push("old"), push("old"), push("old"), push("new"), push("new"), push("newer"), push("old"),
            ])
            #expect(
                answers.map { $0.reason ?? "\($0.status)" } == [
                    "200", "ExpiredProviderToken", "ExpiredProviderToken", "200", "200",
                    "TooManyProviderTokenUpdates", "ExpiredProviderToken",
                ])
        }
    }
}
