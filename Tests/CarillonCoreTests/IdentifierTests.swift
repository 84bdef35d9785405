import CarillonCore
import Foundation
import Testing

@Suite("Identifiers")
struct IdentifierTests {
    @Test("a message id takes 1 to 64 of the allowed characters")
    func allowed() throws {
        #expect(try MessageID("news-42_b.7").rawValue == "news-42_b.7")
        #expect(try MessageID(String(repeating: "x", count: 64)).rawValue.count == 64)
    }

    @Test("anything else is refused", arguments: ["", "a b", "ä", "a/b", "a\n", String(repeating: "x", count: 65)])
    func refused(text: String) {
        #expect(throws: InvalidMessageID.self) { try MessageID(text) }
    }

    @Test("a device token has any length and prints only its beginning")
    func deviceToken() throws {
        let token = try #require(DeviceToken(hex: "AB12cd34ef"))
        #expect(token.hex == "ab12cd34ef")
        #expect(token.data == Data([0xab, 0x12, 0xcd, 0x34, 0xef]))
        #expect("\(token)" == "ab12cd…")
        #expect(DeviceToken(token.data) == token)
    }

    @Test("a device token that is no hexadecimal is refused", arguments: ["", "a", "zz", "ab 1"])
    func badToken(text: String) {
        #expect(DeviceToken(hex: text) == nil)
    }
}
