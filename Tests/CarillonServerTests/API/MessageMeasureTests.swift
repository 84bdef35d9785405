import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("The size of a message while somebody writes it")
struct MessageMeasureTests {
    private let app = AppReference(number: AppNumber(rawValue: 1), topic: "com.example.app")
    private let now = Timestamp(secondsSince1970: 1_790_000_000)

    private func measure(_ text: String, _ more: [String: JSONValue] = [:]) -> MessageMeasure {
        let payload: JSONValue = ["aps": ["alert": ["body": .string(text)]]]
        let body: JSONValue = ["to": ["everyone": true], "payload": payload]
        return MessageMeasure(of: .object((body.objectValue ?? [:]).merging(more) { $1 }), for: app, at: now)
    }

    @Test("it counts what Carillon adds, and a byte more of text is a byte more")
    func sizes() throws {
        let small = try #require(measure("x").bytes)
        #expect(small > #"{"aps":{"alert":{"body":"x"}}}"#.utf8.count + 100)
        #expect(measure("x12345").bytes == small + 5)
        #expect(measure("xé").bytes == small + 2)
        #expect(try #require(measure("x", ["mode": "assured"]).bytes) > small)
    }

    @Test("a message of the largest size is measured, and of one byte more it says what the service would say")
    func tooLarge() throws {
        let room = 4096 - (try #require(measure("x").bytes)) + 1
        let fits = measure(String(repeating: "x", count: room))
        #expect(fits.bytes == 4096 && fits.problem == nil)
        let refused = measure(String(repeating: "x", count: room + 1))
        #expect(refused.bytes == nil)
        #expect(refused.problem?.contains("4097") == true)
        #expect(refused.problem?.contains("Carillon's own key included") == true)
    }

    @Test("any other refusal is said too")
    func refusals() {
        #expect(measure("x", ["to": ["where": "tagg:vip"]]).problem?.contains("tag") == true)
        #expect(measure("x", ["mode": "loud"]).problem?.contains("visible") == true)
        #expect(measure("x", ["mode": "loud"]).pointer == "/mode")
        #expect(measure("x").pointer == nil)
        #expect(MessageMeasure(of: [], for: app, at: now).problem != nil)
    }
}
