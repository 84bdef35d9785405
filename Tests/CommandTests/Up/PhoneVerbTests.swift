import CarillonCore
import CarillonDevice
import HTTPTypes
import Testing

@testable import carillon

@Suite("Verbs of a phone")
struct PhoneVerbTests {
    @Test("each verb is read with what it needs")
    func verbs() throws {
        #expect(try PhoneVerb("lock", [:]) == .lock)
        #expect(try PhoneVerb("force-quit", [:]) == .forceQuit)
        #expect(try PhoneVerb("aeroplane", ["on": true]) == .aeroplane(isOn: true))
        #expect(try PhoneVerb("tap", ["notification": "n-1"]) == .tap(notification: "n-1"))
        #expect(
            try PhoneVerb("act", ["notification": "n-1", "action": "REPLY", "text": "Yes"])
                == .act(notification: "n-1", action: "REPLY", text: "Yes"))
        #expect(try PhoneVerb("touch", ["phase": "moved", "x": 10, "y": 20.5]) == .touch(.moved, x: 10, y: 20.5))
    }

    @Test("a verb that does not exist is 404")
    func unknown() {
        #expect(throws: PageProblem.self) { try PhoneVerb("fly", [:]) }
        #expect(status { try PhoneVerb("fly", [:]) } == 404)
    }

    @Test(
        "what is missing or of the wrong kind is 422",
        arguments: [
            ("aeroplane", [:]), ("aeroplane", ["on": "yes"]), ("permission", ["allow": 1]), ("tap", [:]),
            ("act", ["notification": "n"]), ("touch", ["phase": "hover", "x": 1, "y": 1]),
            ("touch", ["phase": "began", "x": "1", "y": 1]), ("centre", .null), ("clear", [1]),
        ] as [(String, JSONValue)])
    func wrong(verb: String, body: JSONValue) {
        #expect(status { try PhoneVerb(verb, body) } == 422)
    }

    private func status(_ body: () throws -> PhoneVerb) -> Int? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? PageProblem)?.status.code
        }
    }
}
