import CarillonCore
import CarillonExplain
import Foundation
import Testing

/// Payloads for which `carillon validate` once said something else than APNs and the phone.
@Suite("Payloads that senders reported") struct ReportedPayloadTests {
    private func explain(_ text: String, as type: PushType, priority: Int? = nil, isStrict: Bool = false)
        -> PayloadExplanation
    {
        PayloadExplanation(of: Data(text.utf8), pushType: type, priority: priority, isStrict: isStrict)
    }

    private func problems(_ explanation: PayloadExplanation) -> [String] {
        explanation.lines.filter { $0.severity != .fine }.map(\.key)
    }

    @Test("a device-management push needs mdm and no aps")
    func mdm() {
        let explained = explain(#"{"mdm":"X"}"#, as: .mdm)
        #expect(explained.isUsable && problems(explained).isEmpty)
        #expect(explained.summary == ["The device contacts its management server."])
        #expect(PayloadExplanation(of: Data(#"{"mdm":"X"}"#.utf8)).pushType == .mdm)
        #expect(problems(explain(#"{"x":1}"#, as: .mdm)) == ["mdm"])
    }

    @Test("a Live Activity's keys are for Live Activities, and any relevance score is good there")
    func liveActivity() {
        let explained = explain(
            #"""
            {"aps":{"timestamp":1,"event":"update","content-state":{"a":null},"stale-date":2,
            "relevance-score":100,"alert":{"title":{"loc-key":"K"},"body":"b","sound":"s.caf"}}}
            """#, as: .liveactivity)
        #expect(problems(explained).isEmpty, "\(explained.lines)")
        #expect(explained.lines.count == 9 && explained.lines.allSatisfy { !$0.meaning.isEmpty })
        #expect(explained.summary.first?.hasPrefix("Updates a Live Activity") == true)
        let wrong = explain(
            #"{"aps":{"timestamp":1800000000000,"event":"update","content-state":{},"dismissal-date":3}}"#,
            as: .liveactivity)
        #expect(Set(problems(wrong)) == ["aps.timestamp", "aps.dismissal-date"])
        let alert = explain(#"{"aps":{"alert":"x","relevance-score":100}}"#, as: .alert)
        #expect(problems(alert) == ["aps.relevance-score"])
    }

    @Test("a Live Activity without its keys is said to be ignored, and its keys elsewhere to be out of place")
    func wrongLiveActivity() {
        let start = explain(#"{"aps":{"event":"start","badge":1}}"#, as: .liveactivity)
        #expect(
            Set(problems(start)) == [
                "aps.badge", "aps.timestamp", "aps.content-state", "aps.attributes-type", "aps.attributes", "aps.alert",
            ])
        #expect(explain(#"{"aps":{"event":7}}"#, as: .liveactivity).summary.first?.hasPrefix("Does nothing") == true)
        let alert = explain(#"{"aps":{"alert":"x","event":"start"}}"#, as: .alert)
        #expect(alert.lines.last?.meaning == "Not read in a push of type alert: it is for liveactivity.")
    }

    @Test("a null among one's own keys is named, wherever it is", arguments: ["null", #"{"b":[1,null]}"#])
    func nullOfOnesOwn(_ value: String) {
        let explained = explain(#"{"aps":{"alert":"x"},"a":\#(value)}"#, as: .alert)
        #expect(problems(explained) == ["a"] && explained.isUsable)
    }

    @Test("a byte order mark is refused, and named")
    func byteOrderMark() {
        let explained = explain("\u{feff}" + #"{"aps":{"alert":"x"}}"#, as: .alert)
        #expect(explained.reason == "PayloadEmpty" && !explained.isUsable)
        #expect(explained.lines.first?.meaning.contains("byte order mark") == true)
    }

    @Test("an alert without aps is taken with a warning, and refused by strict rules")
    func withoutAps() {
        let lenient = explain(#"{"a":1}"#, as: .alert)
        #expect(lenient.isUsable && problems(lenient) == ["aps"] && lenient.summary.first == "Shows nothing.")
        let strict = explain(#"{"a":1}"#, as: .alert, isStrict: true)
        #expect(strict.reason == "PayloadEmpty" && strict.summary == ["Nothing happens: APNs answers PayloadEmpty."])
    }

    @Test("a call rings whatever is in aps", arguments: [#"{"aps":{}}"#, "{}", #"{"caller":"Ada"}"#])
    func call(_ text: String) {
        let explained = explain(text, as: .voip)
        #expect(problems(explained).isEmpty && explained.summary.first?.hasPrefix("Goes to PushKit") == true)
    }

    @Test("a push that APNs refuses has no other headline", arguments: [10, 7])
    func refusedPriority(_ priority: Int) {
        let explained = explain(#"{"aps":{"content-available":1}}"#, as: .background, priority: priority)
        #expect(explained.summary == ["Nothing happens: APNs answers BadPriority."])
        #expect(explained.reason == "BadPriority" && !explained.isUsable)
    }

    @Test("a bad member of an alert leaves the rest, and nothing says that the alert is ignored")
    func badMember() {
        let explained = explain(#"{"aps":{"alert":{"title":"Hi","subtitle":null,"body":"text"}}}"#, as: .alert)
        let text = explained.shown
        #expect(text?.title == "Hi" && text?.subtitle == "" && text?.body == "text")
        #expect(problems(explained) == ["aps.alert.subtitle"])
        #expect(explained.summary.first?.hasPrefix("Shown as a banner") == true)
    }

    @Test("every key of the table has a meaning in each of its push types", arguments: PayloadKey.all)
    func meanings(_ key: PayloadKey) {
        for type in key.pushTypes {
            let place = key.place.rawValue.dropFirst("aps.".count)
            let value: JSONValue =
                switch key.value {
                case .text, .textOrDictionary: "x"
                case .texts: ["x"]
                case .dictionary: [:]
                case .number, .count, .flag: 1
                case .oneOf(let words): .string(words[0])
                }
            var inner: [String: JSONValue] = [key.name: value]
            // The text without which an alert's other members have nothing to say.
            if key.place == .alert { inner.merge(["body": "x"]) { old, _ in old } }
            if let argument = key.name.hasSuffix("loc-args") ? String(key.name.dropLast(4)) + "key" : nil {
                inner[argument] = "x"
            }
            let aps: [String: JSONValue] = key.place == .aps ? inner : [String(place): .object(inner)]
            let data = (try? JSONValue.object(["aps": .object(aps)]).encoded()) ?? Data()
            let line = PayloadExplanation(of: data, pushType: type).lines.first { $0.key == key.path }
            // A background push shows nothing, and says so once.
            guard type != .background || key.place == .aps else { continue }
            let isMeant = line?.meaning.isEmpty == false && line?.meaning.contains("Not a key") == false
            #expect(isMeant, "\(key.path) \(type)")
        }
    }
}
