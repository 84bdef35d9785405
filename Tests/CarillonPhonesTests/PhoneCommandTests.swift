import CarillonCore
import CarillonDevice
import Foundation
import HTTPTypes
import Testing
import UserNotifications

@testable import CarillonPhones

@Suite("Verbs of a phone")
struct PhoneCommandTests {
    @Test("each command is read with what it needs")
    func verbs() throws {
        #expect(try action("lock") == .lock)
        #expect(try action("force-quit") == .forceQuit("a.b"))
        #expect(try action("aeroplane", ["on": true]) == .goOffline)
        #expect(try action("tap", ["notification": "n-1"]) == .tap("n-1", app: "a.b"))
        #expect(
            try action("act", ["notification": "n-1", "action": "REPLY", "text": "Yes"])
                == .choose("REPLY", notification: "n-1", app: "a.b", text: "Yes"))
        #expect(try action("touch", ["phase": "moved", "x": 10, "y": 20.5]) == .touch(x: 10, y: 20.5, .moved))
    }

    private func action(_ name: String, _ body: JSONValue = [:]) throws -> PhoneAction? {
        guard case .action(let action) = try command(name, body) else { return nil }
        return action
    }

    private func command(_ name: String, _ body: JSONValue = [:]) throws -> PhoneCommand {
        try PhoneCommand(name, body, app: "a.b")
    }

    @Test("a setting is named, and so is its value")
    func settings() throws {
        #expect(try action("settings") == .openSettings && action("erase") == .erase)
        #expect(try self.command("set", ["setting": "focus", "on": true]) == .set(.focus, isOn: true))
        #expect(try self.command("set", ["setting": "browser-dark", "on": true]) == .set(.browserDark, isOn: true))
        #expect(try self.command("set", ["setting": "low-power", "on": true]) == .set(.lowPower, isOn: true))
        #expect(try self.command("set", ["setting": "low-battery", "on": true]) == .set(.lowBattery, isOn: true))
        #expect(
            try self.command("set", ["setting": "rule-throttle", "on": true]) == .set(.rule(.throttle), isOn: true))
        for item in NotificationSwitch.allCases {
            let body: JSONValue = ["setting": .string(item.id), "on": false]
            #expect(try self.command("set", body) == .set(.notification(item), isOn: false))
        }
        #expect(try self.command("previews", ["value": "when-unlocked"]) == .previews(.whenAuthenticated))
        #expect(try action("region", ["value": "ar-EG"]) == .setLocale("ar-EG"))
        let call = UUID()
        #expect(try action("answer-call", ["call": .string(call.uuidString)]) == .answerCall(call))
        #expect(try action("decline-call", ["call": .string(call.uuidString)]) == .declineCall(call))
        #expect(try action("end-call", ["call": .string(call.uuidString)]) == .hangUp(call))
        #expect(throws: PageProblem.self) { try self.command("end-call", ["call": "x"]) }
        #expect(try action("authenticate", ["owner": false]) == .authenticate(false))
        #expect(try action("reveal", ["view": 12]) == .reveal(12))
    }

    @Test("a region's facts are those of its clock and its writing")
    func regions() throws {
        let zone = try #require(TimeZone(identifier: "Europe/London"))
        let facts = PhoneRegion.all.map { PhoneRegionFacts(Locale(identifier: $0.id), timeZone: zone) }
        #expect(facts.map(\.locale) == PhoneRegion.all.map(\.id))
        #expect(facts.filter(\.isTwelveHour).map(\.locale) == ["en-US", "ar-EG"])
        #expect(facts.filter(\.isRightToLeft).map(\.locale) == ["ar-EG", "he-IL"])
        #expect(facts.allSatisfy { $0.timeZone == "Europe/London" })
        #expect(PhoneRegion.all.map(\.id).contains(PhoneRegion.first))
    }

    @Test("a command that does not exist is 404")
    func unknown() {
        #expect(throws: PageProblem.self) { try self.command("fly", [:]) }
        #expect(status { try self.command("fly", [:]) } == 404)
    }

    @Test(
        "what is missing or of the wrong kind is 422",
        arguments: [
            ("aeroplane", [:]), ("aeroplane", ["on": "yes"]), ("permission", ["allow": 1]), ("tap", [:]),
            ("act", ["notification": "n"]), ("touch", ["phase": "hover", "x": 1, "y": 1]),
            ("touch", ["phase": "began", "x": "1", "y": 1]), ("center", .null), ("clear", [1]),
            ("set", ["setting": "lamp", "on": true]), ("set", ["setting": "focus"]), ("previews", ["value": "maybe"]),
            ("region", ["value": "xx"]), ("authenticate", [:]), ("reveal", ["view": "1"]),
        ] as [(String, JSONValue)])
    func wrong(command: String, body: JSONValue) {
        #expect(status { try self.command(command, body) } == 422)
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
