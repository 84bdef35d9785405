import CarillonAPNs
import CarillonCore
import Foundation
import Testing

@testable import CarillonPhones

@Suite("A push by hand")
struct RawPushTests {
    private let now = Timestamp(secondsSince1970: 1_800_000_000)
    private let token = DeviceToken(Data([1, 2, 3]))

    private func notification(_ json: JSONValue) throws -> APNsNotification {
        let tokens = PhoneTokens(app: token, calls: DeviceToken(Data([7])))
        return try RawPush(json, now: now, tokensOf: { $0 == "phone-1" ? tokens : PhoneTokens() })
            .notification(topic: "com.example.chime", apnsID: UUID())
    }

    @Test("a phone stands for its token, and what is not said is left to APNs")
    func leastPush() throws {
        let push = try notification(["phone": "phone-1", "payload": #"{"aps":{"alert":"Hi"}}"#])
        #expect(push.deviceToken == token)
        #expect(push.topic == "com.example.chime")
        #expect(push.pushType == .alert)
        #expect(push.expiration == .unspecified)
        #expect(push.collapseID == nil)
    }

    @Test("a call goes to the token for calls, under the topic of calls")
    func call() throws {
        let push = try notification(["phone": "phone-1", "payload": "{}", "push_type": "voip"])
        #expect(push.deviceToken == DeviceToken(Data([7])) && push.topic == "com.example.chime.voip")
        #expect(push.pushType == .voip)
    }

    @Test("everything said is sent")
    func wholePush() throws {
        let push = try notification([
            "token": "0a0b", "payload": #"{"aps":{"content-available":1}}"#, "push_type": "background", "priority": 5,
            "expires_in": 60, "collapse_id": "c",
        ])
        #expect(push.deviceToken == DeviceToken(hex: "0a0b"))
        #expect(push.pushType == .background)
        #expect(push.expiration == .at(now + .seconds(60)))
        #expect(push.collapseID == "c")
    }

    @Test("zero seconds are one attempt")
    func oneAttempt() throws {
        let push = try notification(["phone": "phone-1", "payload": "{}", "expires_in": 0])
        #expect(push.expiration == .oneAttempt)
    }

    @Test("the payload goes out byte for byte as typed, duplicate keys, big numbers and mistakes included")
    func verbatim() throws {
        for text in [#"{ "n": 12345678901234567890, "n": 1.50, "aps": {"alert": "é\u0041"} }"#, "{not JSON", ""] {
            let push = try notification(["phone": "phone-1", "payload": .string(text)])
            #expect(push.payload == APNsPayload(Data(text.utf8)))
        }
    }

    @Test(
        "what cannot be sent is refused with the member that is wrong",
        arguments: [
            ["payload": "{}"], ["phone": "phone-9", "payload": "{}"], ["token": "xyz", "payload": "{}"],
            ["phone": "phone-1"], ["phone": "phone-1", "payload": ["aps": [:]]],
            ["phone": "phone-1", "payload": "{}", "push_type": "pigeon"],
            ["phone": "phone-1", "payload": "{}", "priority": 7], ["token": "0a0b", "payload": "{}", "topic": ""],
            ["phone": "phone-1", "payload": "{}", "expires_in": -1],
        ] as [JSONValue])
    func refusals(json: JSONValue) {
        #expect(throws: PageProblem.self) { try notification(json) }
    }
}
