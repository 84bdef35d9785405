import CarillonCore
import CarillonDevice
import CarillonExplain
import Foundation
import Testing

@Suite("A payload explained") struct PayloadExplanationTests {
    private func explain(_ json: JSONValue, as type: PushType? = nil) throws -> PayloadExplanation {
        PayloadExplanation(of: try json.encoded(), pushType: type)
    }

    private func line(_ key: String, _ explanation: PayloadExplanation) -> PayloadExplanation.Line? {
        explanation.lines.first { $0.key == key }
    }

    @Test("the tutorial's payload is shown, and its link_url is named as no key of Apple's")
    func tutorial() throws {
        let explained = try explain([
            "aps": ["alert": "Breaking News!", "sound": "default", "link_url": "https://raywenderlich.com"]
        ])
        #expect(explained.isUsable && explained.pushType == .alert)
        #expect(explained.summary.first?.hasPrefix("Shown as a banner") == true)
        #expect(explained.lines.map(\.key) == ["aps.alert", "aps.sound", "aps.link_url"])
        #expect(line("aps.link_url", explained)?.severity == .warning)
    }

    @Test("content-available alone is a background push that wakes the app and shows nothing")
    func silent() throws {
        let explained = try explain(["aps": ["content-available": 1], "dlt": 1])
        #expect(explained.pushType == .background)
        #expect(explained.summary.count == 2)
        #expect(explained.summary[0] == "Shows nothing: it is a background push.")
        #expect(explained.summary[1].hasPrefix("Wakes the app"))
        #expect(line("dlt", explained)?.meaning.contains("Pushwoosh") == true)
    }

    @Test("a VoIP push is for PushKit, whatever it looks like")
    func voip() throws {
        let explained = try explain(["aps": ["alert": "Ada"], "caller": "Ada"], as: .voip)
        #expect(explained.summary.count == 1)
        #expect(explained.summary.first?.hasPrefix("Goes to PushKit") == true)
    }

    @Test("a push for widgets or a control needs content-changed", arguments: [PushType.widgets, .controls])
    func reload(_ type: PushType) throws {
        let explained = try explain(["aps": ["content-changed": true]], as: type)
        #expect(explained.summary.first?.hasPrefix("Reloads ") == true)
        #expect(explained.lines.map(\.severity) == [.fine])
        let wrong = try explain(["aps": ["content-changed": false]], as: type)
        #expect(line("aps.content-changed", wrong)?.meaning == "Has no effect: it must be true.")
        let missing = try explain(["aps": ["badge": 1]], as: type)
        #expect(line("aps.content-changed", missing)?.severity == .warning)
        #expect(
            line("aps.content-changed", missing)?.meaning.hasPrefix("Missing: without it nothing is reloaded") == true)
    }

    @Test("a key of the wrong type is ignored by the phone, and the rest still works")
    func wrongType() throws {
        let explained = try explain(["aps": ["alert": "Hello", "badge": "3"]])
        #expect(explained.isUsable)
        #expect(line("aps.badge", explained)?.severity == .warning)
        #expect(line("aps.badge", explained)?.meaning.contains("whole number") == true)
        #expect(line("aps.alert", explained)?.severity == .fine)
    }

    @Test("what APNs rejects is an error: no content, an empty aps, too many bytes, no JSON")
    func errors() throws {
        #expect(try !explain([:]).isUsable)
        #expect(try !explain(["aps": [:]]).isUsable)
        #expect(try !explain(["aps": "alert"]).isUsable)
        let large = try explain(["aps": ["alert": .string(String(repeating: "x", count: 5000))]])
        #expect(large.lines.first?.severity == .error)
        #expect(!PayloadExplanation(of: Data("{".utf8)).isUsable)
        #expect(!PayloadExplanation(of: Data("[]".utf8)).isUsable)
    }

    @Test("names that differ in their bytes are two keys")
    func namesByBytes() {
        let text = #"{"aps":{"alert":"x"},"ren\#u{e9}":1,"rene\#u{301}":null}"#
        let explained = PayloadExplanation(of: Data(text.utf8))
        #expect(explained.lines.map(\.severity) == [.fine, .warning, .fine], "\(explained.lines)")
    }

    @Test(
        "a name that is nearly one of Apple's gets the name that was meant",
        arguments: [
            ("content_available", "content-available"), ("threadId", "thread-id"), ("thread_id", "thread-id"),
            ("allert", "alert"), ("contentAvailable", "content-available"), ("Badge", "badge"),
            ("targetContentId", "target-content-id"), ("interruption_level", "interruption-level"),
        ])
    func nearlyApples(_ name: String, _ meant: String) throws {
        let explained = try explain(["aps": JSONValue.object(["alert": "x", name: "y"])])
        let meaning = try #require(line("aps.\(name)", explained)?.meaning)
        #expect(meaning.contains("did you mean \(meant)?"), "\(meaning)")
    }

    @Test("a name in alert or sound that is nearly one of Apple's gets the name that was meant; an own one does not")
    func nearlyApplesInside() throws {
        let explained = try explain([
            "aps": ["alert": ["body": "x", "loc_key": "k"], "sound": ["names": "a"], "link_url": "u", "id": 1]
        ])
        #expect(line("aps.alert.loc_key", explained)?.meaning.contains("did you mean loc-key?") == true)
        #expect(line("aps.sound.names", explained)?.meaning.contains("did you mean name?") == true)
        for own in ["aps.link_url", "aps.id"] {
            #expect(line(own, explained)?.meaning.contains("did you mean") == false, "\(own)")
        }
    }

    @Test("a key of Apple's that stands beside aps is told to belong inside, and a text in aps to belong in the alert")
    func misplaced() throws {
        let explained = try explain(["aps": ["alert": "x", "body": "y"], "badge": 3, "content_available": 1, "own": 1])
        for name in ["badge", "content_available"] {
            let found = line(name, explained)
            #expect(found?.severity == .warning && found?.meaning.contains("in aps") == true, "\(name)")
        }
        #expect(line("own", explained)?.severity == .fine)
        #expect(line("aps.body", explained)?.meaning.contains("in aps.alert") == true)
    }

    struct Surprise: Sendable {
        let key: String
        let payload: JSONValue
        let words: String
    }

    @Test(
        "a warning for what surprises",
        arguments: [
            Surprise(
                key: "aps.mutable-content", payload: ["aps": ["badge": 1, "mutable-content": 1]],
                words: "only for a push with text"),
            Surprise(key: "aps.badge", payload: ["aps": ["badge": 0]], words: "every notification"),
            Surprise(
                key: "aps.alert.action-loc-key", payload: ["aps": ["alert": ["body": "x", "action-loc-key": "y"]]],
                words: "since iOS 10"),
            Surprise(key: "aps.alert", payload: ["aps": ["alert": [:], "sound": "default"]], words: "no text"),
            Surprise(
                key: "aps.interruption-level", payload: ["aps": ["alert": "x", "interruption-level": "critical"]],
                words: "entitlement"),
            Surprise(
                key: "aps.alert.title-loc-args", payload: ["aps": ["alert": ["body": "x", "title-loc-args": ["y"]]]],
                words: "there is no title-loc-key"),
            Surprise(
                key: "aps.sound.loud", payload: ["aps": ["alert": "x", "sound": ["name": "s.caf", "loud": 1]]],
                words: "Not a key of Apple's"),
            Surprise(
                key: "aps.content-available", payload: ["aps": ["alert": "x", "content-available": 0]],
                words: "must be 1"),
        ])
    func surprises(_ surprise: Surprise) throws {
        let found = line(surprise.key, try explain(surprise.payload))
        #expect(found?.severity == .warning)
        #expect(found?.meaning.contains(surprise.words) == true, "\(found?.meaning ?? "no such line")")
    }

    @Test("text in a push that was sent as background is said not to show")
    func textInBackground() throws {
        let explained = try explain(["aps": ["alert": "x", "content-available": 1]], as: .background)
        #expect(line("aps.alert", explained)?.meaning.hasPrefix("Not shown") == true)
    }

    @Test("every key that Apple documents has a meaning of its own")
    func wholeAps() throws {
        let explained = try explain([
            "aps": [
                "alert": ["title": "t", "subtitle": "s", "body": "b"], "badge": 1, "sound": "s.caf", "thread-id": "t",
                "category": "c", "content-available": 1, "mutable-content": 1, "target-content-id": "w",
                "interruption-level": "passive", "relevance-score": 0.5, "filter-criteria": "f",
            ]
        ])
        #expect(explained.lines.count == 13)
        #expect(Set(explained.lines.map(\.meaning)).count == 13)
        #expect(explained.lines.allSatisfy { $0.severity == .fine })
    }
}
