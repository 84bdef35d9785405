import CarillonCore
import CarillonSimulator
import Testing

@Suite("Channels and broadcasts, by httpx")
struct BroadcastTests {
    private static let channels = "/1/apps/\(SimulatorFixture.bundleID)/channels"
    private static let configuration = #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#

    private func request(
        _ method: String, _ path: String, channel: String? = nil, body: String = "",
        headers: [(String, String)] = []
    ) -> ForeignSender.Request {
        ForeignSender.Request(
            method: method, path: path, headers: headers + (channel.map { [("apns-channel-id", $0)] } ?? []), body: body
        )
    }

    @Test("Channels: created 201 with an id, read 200, listed, deleted 204, then ChannelNotRegistered")
    func channels() async throws {
        try await SimulatorFixture.with { fixture in
            let sender = ForeignSender(fixture: fixture)
            let requestID = "eabeae54-14a8-11e5-b60b-1697f925ec7b"
            let created = try await sender.send([
                request(
                    "POST", Self.channels, body: Self.configuration, headers: [("apns-request-id", requestID)])
            ])
            #expect(created.map(\.status) == [201])
            #expect(created.first?.headers["apns-request-id"] == requestID)
            let id = try #require(created.first?.headers["apns-channel-id"])
            let answers = try await sender.send([
                request("GET", Self.channels, channel: id),
                request("GET", "/1/apps/\(SimulatorFixture.bundleID)/all-channels"),
                request("DELETE", Self.channels, channel: id), request("GET", Self.channels, channel: id),
            ])
            #expect(answers.map(\.status) == [200, 200, 204, 400])
            #expect(answers[0].body == Self.configuration)
            #expect(answers[1].body == #"{"channels":["\#(id)"]}"#)
            #expect(answers[3].reason == "ChannelNotRegistered")
        }
    }

    @Test("Channel reasons: every mistake has its own")
    func reasons() async throws {
        try await SimulatorFixture.with({ $0.broadcastTopics = [SimulatorFixture.bundleID] }) { fixture in
            let table: [(String, ForeignSender.Request)] = [
                ("MissingChannelId", request("GET", Self.channels)),
                ("BadChannelId", request("GET", Self.channels, channel: "not base64!")),
                ("ChannelNotRegistered", request("DELETE", Self.channels, channel: "AAAA")),
                ("BadRequestPayload", request("POST", Self.channels, body: "[]")),
                ("BadRequestPayload", request("POST", Self.channels, body: #"{"push-type":"LiveActivity"}"#)),
                ("MissingPushType", request("POST", Self.channels, body: #"{"message-storage-policy":1}"#)),
                ("TopicMismatch", request("GET", "/1/apps/com.example.unknown/all-channels")),
                ("FeatureNotEnabled", request("GET", "/1/apps/com.example.other/all-channels")),
                ("MethodNotAllowed", request("PUT", Self.channels)),
                ("BadPath", request("GET", "/1/apps/\(SimulatorFixture.bundleID)/nothing")),
            ]
            let answers = try await ForeignSender(fixture: fixture).send(table.map(\.1))
            #expect(answers.map(\.reason) == table.map(\.0))
        }
    }

    @Test("Broadcast: a channel that stores nothing demands expiration 0; 5120 bytes pass, 5121 do not")
    func broadcast() async throws {
        try await SimulatorFixture.with { fixture in
            let sender = ForeignSender(fixture: fixture)
            let created = try await sender.send([request("POST", Self.channels, body: Self.configuration)])
            let id = try #require(created.first?.headers["apns-channel-id"])
            func push(_ headers: [(String, String)], byteCount: Int = 100) -> ForeignSender.Request {
                let frame = #"{"aps":{"event":""}}"#
                let filler = String(repeating: "x", count: byteCount - frame.utf8.count)
                return request(
                    "POST", "/4/broadcasts/apps/\(SimulatorFixture.bundleID)", channel: id,
                    body: frame.replacing("\"\"", with: "\"\(filler)\""), headers: headers)
            }
            let (type, now) = (("apns-push-type", "liveactivity"), ("apns-expiration", "0"))
            let answers = try await sender.send([
                push([type, now]), push([type]), push([now]), push([("apns-push-type", "alert"), now]),
                push([type, now], byteCount: 5120), push([type, now], byteCount: 5121),
            ])
            #expect(
                answers.map(\.reason) == [
                    nil, "BadExpirationDate", "MissingPushType", "InvalidPushType", nil, "PayloadTooLarge",
                ])
            #expect(answers.allSatisfy { $0.headers["apns-request-id"] != nil })
        }
    }
}
