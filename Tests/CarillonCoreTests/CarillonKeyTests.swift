import CarillonCore
import Testing

@Suite("The payload key carillon")
struct CarillonKeyTests {
    @Test("everything it says survives a round trip")
    func roundTrip() throws {
        let key = CarillonKey(
            id: try MessageID("m-1"), now: Timestamp(millisecondsSince1970: 10),
            until: Timestamp(millisecondsSince1970: 20),
            silent: ["alert": "x"], removals: [Removal(try MessageID("m-0"), revision: 2, reason: .read)],
            needsSync: true, badge: 2, attempt: 3,
            revision: 4, dialect: .pushwoosh)
        #expect(CarillonKey(json: key.json) == key)
    }

    @Test("what an older app cannot understand is skipped, not refused")
    func newerService() throws {
        let json: JSONValue = [
            "v": 2, "id": "bad id!", "rm": ["ok", 7, "also.ok"], "future": ["x": 1], "badge": "many",
        ]
        let key = try #require(CarillonKey(json: json))
        #expect(key.id == nil)
        #expect(key.removals.map(\.message.rawValue) == ["ok", "also.ok"])
        #expect(key.badge == nil)
    }

    @Test("a value that is not ours is not read", arguments: [JSONValue.null, "v", ["v": "1"], ["v": 0], [:]])
    func foreign(json: JSONValue) {
        #expect(CarillonKey(json: json) == nil)
    }
}
