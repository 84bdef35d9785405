import CarillonCore
import CarillonDevice
import CarillonExplain
import Foundation
import Testing

@testable import CarillonPhones

@Suite("Checks while one types")
struct PayloadCheckTests {
    private func problems(_ payload: String, _ more: [String: JSONValue] = [:]) throws -> [PayloadExplanation.Line] {
        let json = JSONValue.object(more.merging(["payload": .string(payload)]) { _, new in new })
        return try PayloadCheck(json).explanation.lines.filter { $0.severity != .fine }
    }

    @Test("they are those of carillon validate")
    func sameAsValidate() throws {
        for payload in ["{", "{}", #"{"aps":{"alert":"x","badge":"3"}}"#] {
            let check = try PayloadCheck(["payload": .string(payload), "push_type": "alert", "priority": 5])
            #expect(check.explanation == PayloadExplanation(of: Data(payload.utf8), pushType: .alert, priority: 5))
        }
    }

    @Test(
        "an empty message is named",
        arguments: [#"{"aps":{"alert":""}}"#, #"{"aps":{"alert":{"title":"","body":""}}}"#])
    func empty(payload: String) throws {
        #expect(try problems(payload).map(\.meaning) == ["Has no text, so nothing is shown."])
    }

    @Test("a call needs nothing in aps, and a payload without aps is taken by APNs and shows nothing")
    func withoutContent() throws {
        #expect(try problems(#"{"aps":{}}"#, ["push_type": "voip", "priority": 10]).isEmpty)
        let check = try PayloadCheck(["payload": #"{"a":1}"#, "push_type": "alert"]).explanation
        #expect(check.reason == nil && check.shown == nil && check.summary.first == "Shows nothing.")
        #expect(try problems(#"{"a":1}"#, ["push_type": "alert"]).map(\.severity) == [.warning])
    }

    @Test("one byte too many is named, and 4,096 are not")
    func size() throws {
        let text = { #"{"aps":{"alert":"\#(String(repeating: "x", count: $0 - 20))"}}"# }
        #expect(text(4096).utf8.count == 4096)
        #expect(try problems(text(4096)).isEmpty)
        #expect(try problems(text(4097)).first?.meaning.contains("PayloadTooLarge") == true)
    }

    @Test("priority 10 is an error for a background push and for no other")
    func priority() throws {
        let payload = #"{"aps":{"content-available":1}}"#
        let background = try problems(payload, ["push_type": "background", "priority": 10])
        #expect(background.map(\.key) == ["apns-priority"])
        #expect(try problems(payload, ["push_type": "background", "priority": 5]).isEmpty)
        #expect(try problems(#"{"aps":{"alert":"x"}}"#, ["push_type": "alert", "priority": 10]).isEmpty)
        #expect(try problems(#"{"aps":{"alert":"x"}}"#, ["priority": 7]).map(\.key) == ["apns-priority"])
    }

    @Test(
        "what it cannot read is refused",
        arguments: [[:], ["payload": [:]], ["payload": "{}", "push_type": "x"]] as [JSONValue])
    func refusals(json: JSONValue) {
        #expect(throws: PageProblem.self) { try PayloadCheck(json) }
    }
}
