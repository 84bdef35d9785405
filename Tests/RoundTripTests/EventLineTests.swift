import CarillonCore
import Foundation
import Testing

@testable import carillon

@Suite("carillon tail: an event in a terminal")
struct EventLineTests {
    private static func event(_ more: [String: JSONValue] = [:]) -> JSONValue {
        .object(["type": "message.accepted", "at": "2027-01-31T12:00:01.000Z", "message": "m1"].merging(more) { $1 })
    }

    @Test("has the time, the type and what it is about")
    func plain() {
        #expect(EventLine(Self.event()).text(false) == "12:00:01 message.accepted   m1")
        let rejected = Self.event([
            "type": "push.rejected", "device": "d-1", "user": "u-42",
            "details": ["status": 410, "reason": "Unregistered", "purpose": "show"],
        ])
        #expect(EventLine(rejected).text(false) == "12:00:01 push.rejected      m1 on d-1 of u-42 410 Unregistered")
    }

    @Test("has colours for failures and for what people do, and only then")
    func colours() {
        let rejected = EventLine(Self.event(["type": "push.rejected"]))
        #expect(rejected.text(true) == "12:00:01 \u{1b}[31mpush.rejected\u{1b}[0m      m1")
        #expect(EventLine(Self.event(["type": "message.opened"])).text(true).contains("\u{1b}[32m"))
        for event in [rejected, EventLine(Self.event(["type": "message.opened"]))] {
            #expect(!event.text(false).contains("\u{1b}"))
        }
        #expect(!EventLine(Self.event()).text(true).contains("\u{1b}"))
    }

    @Test("is no wider than 80 columns, whatever the ids and replies are, and moves no cursor")
    func wide() {
        let reply = JSONValue.string("well \u{1b}[2J\n" + String(repeating: "long ", count: 40))
        let wide = Self.event([
            "message": .string(String(repeating: "m", count: 64)), "device": .string(String(repeating: "d", count: 36)),
            "user": .string(String(repeating: "u", count: 200)), "details": ["reply": reply],
        ])
        let lines = EventLine(wide).text(false).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 } && lines.count > 5)
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("         ") })
        #expect(!EventLine(wide).text(false).contains("\u{1b}"))
    }

    @Test("server-sent events come in whatever pieces")
    func pieces() {
        let text =
            "id: 5-0\nretry: 1000\n\nid: 5-1\nevent: user.signed_in\ndata: {\"a\":1}\n\n: comment\n\ndata: x\ndata: y\n\n"
        for size in [1, 7, 1000] {
            var (reader, events, rest): (StreamedEvents, [StreamedEvent], Data) = (.init(), [], Data(text.utf8))
            while !rest.isEmpty {
                events += reader.add(rest.prefix(size))
                rest = Data(rest.dropFirst(size))
            }
            #expect(
                events == [
                    StreamedEvent(id: "5-0"), StreamedEvent(id: "5-1", name: "user.signed_in", data: "{\"a\":1}"),
                    StreamedEvent(data: "x\ny"),
                ])
        }
    }
}
