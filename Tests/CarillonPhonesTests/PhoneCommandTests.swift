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
        #expect(try PhoneCommand("lock", [:]) == .lock)
        #expect(try PhoneCommand("force-quit", [:]) == .forceQuit)
        #expect(try PhoneCommand("aeroplane", ["on": true]) == .aeroplane(isOn: true))
        #expect(try PhoneCommand("tap", ["notification": "n-1"]) == .tap(notification: "n-1"))
        #expect(
            try PhoneCommand("act", ["notification": "n-1", "action": "REPLY", "text": "Yes"])
                == .act(notification: "n-1", action: "REPLY", text: "Yes"))
        #expect(try PhoneCommand("touch", ["phase": "moved", "x": 10, "y": 20.5]) == .touch(.moved, x: 10, y: 20.5))
    }

    @Test("a setting is named, and so is its value")
    func settings() throws {
        #expect(try PhoneCommand("settings", [:]) == .settings && PhoneCommand("erase", [:]) == .erase)
        #expect(try PhoneCommand("set", ["setting": "focus", "on": true]) == .set(.focus, isOn: true))
        #expect(try PhoneCommand("set", ["setting": "browser-dark", "on": true]) == .set(.browserDark, isOn: true))
        #expect(try PhoneCommand("set", ["setting": "low-power", "on": true]) == .set(.lowPower, isOn: true))
        #expect(try PhoneCommand("set", ["setting": "low-battery", "on": true]) == .set(.lowBattery, isOn: true))
        #expect(
            try PhoneCommand("set", ["setting": "rule-throttle", "on": true]) == .set(.rule(.throttle), isOn: true))
        for item in NotificationSwitch.allCases {
            let body: JSONValue = ["setting": .string(item.id), "on": false]
            #expect(try PhoneCommand("set", body) == .set(.notification(item), isOn: false))
        }
        #expect(try PhoneCommand("previews", ["value": "when-unlocked"]) == .previews(.whenAuthenticated))
        #expect(try PhoneCommand("region", ["value": "ar-EG"]) == .region(PhoneRegion(id: "ar-EG", name: "العربية")))
        let call = UUID()
        #expect(try PhoneCommand("answer-call", ["call": .string(call.uuidString)]) == .call(call, .answer))
        #expect(try PhoneCommand("decline-call", ["call": .string(call.uuidString)]) == .call(call, .decline))
        #expect(try PhoneCommand("end-call", ["call": .string(call.uuidString)]) == .call(call, .end))
        #expect(throws: PageProblem.self) { try PhoneCommand("end-call", ["call": "x"]) }
        #expect(try PhoneCommand("authenticate", ["owner": false]) == .authenticate(isOwner: false))
        #expect(try PhoneCommand("reveal", ["view": 12]) == .reveal(view: 12))
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
        #expect(throws: PageProblem.self) { try PhoneCommand("fly", [:]) }
        #expect(status { try PhoneCommand("fly", [:]) } == 404)
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
