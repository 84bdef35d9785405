import CarillonCore
import Foundation
import NIOCore
import Testing

@testable import CarillonSimulator

@Suite("Pushes on the admin port's streams")
struct PushWriterTests {
    @Test("an event written by hand is the JSON that the encoder makes, byte for byte")
    func equal() throws {
        var generator = SeededGenerator(seed: 5)
        let texts = ["com.example.app", "", "a\"b\\c", "é 通知 🔔", "a\\c", "tab\t\u{1}\u{7F}/slash", "phone-1"]
        let payloads = [
            #"{"aps":{"alert":"x"},"b":[1.5,null,true]}"#, "no JSON", "", "[\n1\n]", #"{"z":1,"a":"\u2028/"}"#,
        ]
        let id = try #require(UUID(uuidString: "EABEAE54-14A8-11E5-B60B-1697F925EC7B"))
        for _ in 0..<500 {
            func text() -> String { texts.randomElement(using: &generator) ?? "" }
            let expirations: [ExpirationHeader] = [
                .unspecified, .oneAttempt, .at(Timestamp(secondsSince1970: 1_800_000_000)),
            ]
            let push = SimulatorPush(
                device: text(),
                token: Bool.random(using: &generator) ? generator.deviceToken(byteCount: 32) : nil,
                channelID: Bool.random(using: &generator) ? text() : nil, topic: text(), bundleID: text(),
                pushType: PushType.allCases.randomElement(using: &generator) ?? .alert,
                payload: Data((payloads.randomElement(using: &generator) ?? "").utf8),
                collapseID: Bool.random(using: &generator) ? text() : nil, apnsID: id, priority: 5,
                expiration: expirations.randomElement(using: &generator) ?? .oneAttempt)
            var event = ByteBuffer()
            push.writeEvent(payload: ByteBuffer(bytes: try push.payload.shown.encoded()), into: &event)
            let expected = "data: " + String(decoding: try push.json.encoded(), as: UTF8.self) + "\n\n"
            #expect(String(buffer: event) == expected)
        }
    }
}
