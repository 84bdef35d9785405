import CarillonCore
import CarillonSimulator
import Testing

/// docs/simulator.md, "The order of the checks".
@Suite("The order of the checks")
struct CheckOrderTests {
    /// A request in which everything is wrong, and what mends one check after the other, in the documented order.
    private static func mending(_ token: DeviceToken) -> [(RequestCheck, (inout ForeignSender.Request) -> Void)] {
        func set(_ name: String, _ value: String?) -> (inout ForeignSender.Request) -> Void {
            { request in
                request.headers.removeAll { $0.0 == name }
                if let value { request.headers.append((name, value)) }
            }
        }
        return [
            (.path, { $0.path = "/3/device/zz" }),
            (.method, { $0.method = "POST" }),
            (.duplicateHeaders, set("apns-priority", "7")),
            (.messageID, set("apns-id", "EABEAE54-14A8-11E5-B60B-1697F925EC7B")),
            (.credential, { $0.token = [:] }),
            (.pushType, set("apns-push-type", "alert")),
            (.priority, set("apns-priority", "10")),
            (.expiration, set("apns-expiration", "0")),
            (.collapseID, set("apns-collapse-id", "short")),
            (.topic, set("apns-topic", "com.example.other")),
            (.payload, { $0.body = #"{"aps":{"alert":"Hello"}}"# }),
            (.deviceToken, { $0.path = "/3/device/\(token.hex)" }),
            (.registration, set("apns-topic", SimulatorFixture.bundleID)),
        ]
    }

    private static let wrong = ForeignSender.Request(
        method: "PUT", path: "/4/nothing",
        headers: [
            ("apns-priority", "7"), ("apns-priority", "8"), ("apns-id", "no-uuid"), ("apns-push-type", "Alert"),
            ("apns-expiration", "soon"), ("apns-collapse-id", String(repeating: "x", count: 65)),
            ("apns-topic", "no topic"),
        ], body: "[]", token: "bearer none")

    @Test("of a request with every flaw the first in the documented order is told, and each repair shows the next")
    func order() async throws {
        try await SimulatorFixture.with { fixture in
            let mending = Self.mending(fixture.token())
            var requests = [Self.wrong]
            for (_, mend) in mending {
                var next = requests[requests.count - 1]
                mend(&next)
                requests.append(next)
            }
            let answers = try await ForeignSender(fixture: fixture).send(requests.map { [$0] }).compactMap(\.first)
            let decisions = fixture.simulator.requests().map { record -> RequestCheck? in
                if case .rejected(let rejection) = record.decision { rejection.check } else { nil }
            }
            // The connections of the cases overlap, so the journal's own order says nothing.
            #expect(Set(decisions) == Set(mending.map(\.0) + [nil]))
            #expect(
                answers.map { $0.reason ?? "\($0.status)" } == [
                    "BadPath", "MethodNotAllowed", "DuplicateHeaders", "BadMessageId", "InvalidProviderToken",
                    "InvalidPushType", "BadPriority", "BadExpirationDate", "BadCollapseId", "BadTopic", "PayloadEmpty",
                    "BadDeviceToken", "DeviceTokenNotForTopic", "200",
                ])
            // `fault` comes before all of them, `rate` after: both have tests of their own.
            #expect(mending.map(\.0) == RequestCheck.allCases.filter { $0 != .fault && $0 != .rate })
        }
    }
}
