import CarillonCore
import Foundation
import Testing

/// Client and simulator read one table, so that a mistake in it would not show between them: Apple's figures stand here once
/// more.
@Suite("The table of push types, against Apple's page") struct PushTypeRuleTests {
    private static let documented: [(type: PushType, suffix: String, byteLimit: Int, needsAps: Bool)] = [
        (.accessory, ".push-type.accessory", 4096, true), (.alert, "", 4096, true), (.background, "", 4096, true),
        (.complication, ".complication", 4096, false),
        (.controls, ".push-type.controls", 4096, true), (.fileprovider, ".pushkit.fileprovider", 4096, false),
        (.liveactivity, ".push-type.liveactivity", 4096, true), (.location, ".location-query", 4096, false),
        (.mdm, "", 4096, false), (.pushtotalk, ".voip-ptt", 4096, false), (.voip, ".voip", 5120, false),
        (.widgets, ".push-type.widgets", 4096, true),
    ]

    @Test("every type has the suffix, the size and the need of aps that Apple names")
    func figures() {
        #expect(Self.documented.map(\.type) == PushType.allCases)
        for row in Self.documented {
            let rule = row.type.rule
            #expect(rule.topicSuffix == row.suffix && rule.payloadByteLimit == row.byteLimit, "\(row.type)")
            #expect(rule.needsAps == row.needsAps, "\(row.type)")
            #expect(rule.allowsImmediatePriority == (row.type != .background), "\(row.type)")
        }
        #expect(PushTypeRule.broadcast.payloadByteLimit == 5120)
        #expect(PushType.location.rule.credential == .tokenOnly && PushType.mdm.rule.credential == .certificateOnly)
    }

    @Test(
        "the type that fits a payload",
        arguments: [
            (#"{"aps":{"alert":"x"}}"#, PushType.alert), (#"{"aps":{"content-available":1}}"#, .background),
            (#"{"aps":{"content-available":true}}"#, .background), (#"{"aps":{"content-available":0}}"#, .alert),
            (#"{"aps":{"content-available":1,"badge":0}}"#, .alert), (#"{"mdm":"X"}"#, .mdm),
            (#"{"mdm":"X","aps":{}}"#, .mdm), (#"{"mdm":"X","aps":{"alert":"x"}}"#, .alert), ("{}", .alert),
        ])
    func fitting(text: String, type: PushType) throws {
        #expect(PushType.fitting(try JSONValue(parsing: text).members ?? [:]) == type)
    }

    @Test("a key of aps that is written with escaped characters is aps all the same")
    func escapedKey() {
        let bytes = Array(#"{"\u0061ps":{"alert":"x"}}"#.utf8)
        #expect(bytes.withUnsafeBytes { PayloadShape(reading: $0) } == .dictionary(aps: .filled, hasOther: false))
    }

    @Test("the nesting that APNs takes is the nesting that a phone reads", arguments: [62, 63, 64, 65, 100])
    func depth(_ levels: Int) {
        let text = #"{"a":"# + String(repeating: "[", count: levels) + String(repeating: "]", count: levels) + "}"
        let isRead = (try? JSONValue(parsing: text)) != nil
        let shape = Array(text.utf8).withUnsafeBytes { PayloadShape(reading: $0) }
        #expect((shape != .malformed) == isRead)
    }
}
