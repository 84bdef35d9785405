import CarillonCore
import CarillonDevice
import HTTPTypes
import Testing

@testable import carillon

@Suite("Verbs of a phone")
struct PhoneCommandTests {
    @Test("each command is read with what it needs")
    func verbs() throws {
        #expect(try PhoneCommand("lock", [:]) == .lock)
        #expect(try PhoneCommand("force-quit", [:]) == .forceQuit)
        #expect(try PhoneCommand("aeroplane", ["on": true]) == .aeroplane(isOn: true))
        #expect(try PhoneCommand("tap", ["notification": "n-1"]) == .tap(notification: "n-1"))
        #expect(
            try PhoneCommand("act", ["notification": "n-1", "action": "REPLY", "text": "Yes"])
                == .act(notification: "n-1", action: "REPLY", text: "Yes"))
        #expect(try PhoneCommand("touch", ["phase": "moved", "x": 10, "y": 20.5]) == .touch(.moved, x: 10, y: 20.5))
    }

    @Test("a command that does not exist is 404")
    func unknown() {
        #expect(throws: PageProblem.self) { try PhoneCommand("fly", [:]) }
        #expect(status { try PhoneCommand("fly", [:]) } == 404)
    }

    @Test(
        "what is missing or of the wrong kind is 422",
        arguments: [
            ("aeroplane", [:]), ("aeroplane", ["on": "yes"]), ("permission", ["allow": 1]), ("tap", [:]),
            ("act", ["notification": "n"]), ("touch", ["phase": "hover", "x": 1, "y": 1]),
            ("touch", ["phase": "began", "x": "1", "y": 1]), ("center", .null), ("clear", [1]),
        ] as [(String, JSONValue)])
    func wrong(command: String, body: JSONValue) {
        #expect(status { try PhoneCommand(command, body) } == 422)
    }

    private func status(_ body: () throws -> PhoneCommand) -> Int? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? PageProblem)?.status.code
        }
    }
}
