import CarillonCore
import Foundation

/// Payloads for all push types: what senders send, and what they send by mistake.
enum PayloadCorpus {
    struct Entry: Sendable, CustomStringConvertible {
        let name: String
        let pushType: PushType
        let data: Data

        var description: String {
            "\(pushType.rawValue): \(name): \(String(decoding: data.prefix(200), as: UTF8.self))"
        }
    }

    static let seed: UInt64 = 40

    static let all: [Entry] = PushType.allCases.flatMap(ofEveryType) + badKeys + oddAlerts + generated(count: 200)

    // MARK: for every type

    private static let usual: [PushType: String] = [
        .accessory: #"{"aps":{"encryptedData":"eA==","sessionIdentifier":"s","keyID":"aw==","messageIndex":"1"}}"#,
        .alert: #"{"aps":{"alert":{"title":"t","body":"b"},"sound":"default","badge":1},"own":[1,"x",true]}"#,
        .background: #"{"aps":{"content-available":1}}"#,
        .complication: #"{"aps":{"content-available":1}}"#,
        .controls: #"{"aps":{"content-changed":true}}"#,
        .fileprovider: #"{"container-identifier":"NSFileProviderWorkingSetContainerItemIdentifier","domain":"d"}"#,
        .liveactivity: #"{"aps":{"timestamp":1,"event":"update","content-state":{"a":1},"relevance-score":100}}"#,
        .location: #"{"aps":{}}"#,
        .mdm: #"{"mdm":"X"}"#,
        .pushtotalk: #"{"aps":{},"activeSpeaker":"Ada"}"#,
        .voip: #"{"aps":{},"caller":"Ada"}"#,
        .widgets: #"{"aps":{"content-changed":true}}"#,
    ]

    private static func ofEveryType(_ type: PushType) -> [Entry] {
        let usual = usual[type] ?? ""
        var texts: [(String, String)] = [
            ("usual", usual), ("in several lines", usual.replacing(":", with: " :\r\n\t")), ("empty", ""),
            ("space", " \n"),
            ("no members", "{}"), ("aps empty", #"{"aps":{}}"#), ("no aps", #"{"a":1}"#),
            ("aps empty beside a key", #"{"aps":{},"a":1}"#), ("aps null", #"{"aps":null}"#),
            ("aps a text", #"{"aps":"alert"}"#), ("aps an array", #"{"aps":[]}"#),
            ("aps a number", #"{"aps":1,"a":1}"#),
            ("mdm", #"{"mdm":"X"}"#), ("alert", #"{"aps":{"alert":"x"}}"#), ("array", "[]"), ("number", "1"),
            ("null", "null"), ("text", #""aps""#), ("open", usual.dropLast().description), ("two", usual + usual),
            ("comma too many", usual.dropLast() + ",}"), ("single quotes", usual.replacing("\"", with: "'")),
            ("byte order mark", "\u{feff}" + usual), ("null of one's own", #"{"aps":{"alert":"x"},"a":null}"#),
            ("null within", #"{"aps":{"alert":"x"},"a":{"b":[null]}}"#),
        ]
        for (name, size) in [("at the limit", 0), ("one above", 1), ("far above", 3000)] {
            texts.append((name, sized(type.payloadByteLimit + size)))
        }
        var entries = texts.map { Entry(name: $0.0, pushType: type, data: Data($0.1.utf8)) }
        let invalid = [UInt8](#"{"aps":{"alert":"x"},"a":""#.utf8) + [0xC3, 0x28] + [UInt8](#""}"#.utf8)
        entries.append(Entry(name: "invalid UTF-8", pushType: type, data: Data(invalid)))
        entries.append(Entry(name: "UTF-16", pushType: type, data: usual.data(using: .utf16LittleEndian) ?? Data()))
        return entries
    }

    private static func sized(_ size: Int) -> String {
        let frame = #"{"aps":{"alert":""}}"#
        return #"{"aps":{"alert":"\#(String(repeating: "x", count: size - frame.utf8.count))"}}"#
    }

    // MARK: keys of Apple's

    private static let values: [JSONValue] = [
        nil, true, false, -1, 0, 1, 2.5, "", "x", [], ["a"], ["a", 1], [:], ["k": nil],
    ]

    /// Every key with a value of each kind, beside a text that has to remain.
    private static let badKeys: [Entry] = PayloadKey.all.flatMap { key in
        key.pushTypes.sorted { $0.rawValue < $1.rawValue }.flatMap { type in
            values.compactMap { value in
                var aps: [String: JSONValue] = ["alert": ["title": "t", "body": "b"]]
                switch key.place {
                case .aps: aps[key.name] = value
                case .alert: aps["alert"] = .object(["title": "t", "body": "b"].merging([key.name: value]) { $1 })
                case .sound: aps["sound"] = .object([key.name: value])
                }
                return entry("\(key.path)", type, ["aps": .object(aps)])
            }
        }
    }

    private static func entry(_ name: String, _ type: PushType, _ json: JSONValue) -> Entry? {
        (try? json.encoded()).map { Entry(name: name, pushType: type, data: $0) }
    }

    // MARK: odd ones

    private static let oddAlerts: [Entry] = {
        func nested(_ levels: Int) -> String {
            let arrays = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
            return #"{"aps":{"alert":"x"},"a":\#(arrays)}"#
        }
        let texts: [String] = [
            nested(62), nested(63), nested(64), nested(200), nested(1500),
            #"{"aps":{},"aps":{"alert":"x"}}"#, #"{"aps":{"alert":"x"},"aps":{}}"#, #"{"aps":"x","aps":{"alert":"x"}}"#,
            #"{"aps":{"alert":"x","alert":7}}"#, #"{"aps":{"badge":"3","badge":3}}"#, #"{"\u0061ps":{"alert":"x"}}"#,
            #"{"APS":{"alert":"x"}}"#, #"{"aps ":{"alert":"x"}}"#, #"{"aps":{"alert":"\ud800"}}"#,
            #"{"aps":{"alert":"\ud83d\ude00"}}"#, #"{"aps":{"alert":"a\u0000b"}}"#, #"{"aps":{"alert":"x"},"n":1e999}"#,
            #"{"aps":{"alert":"x"},"n":123456789012345678901234567890}"#, #"{"aps":{"alert":"x"},"n":-0}"#,
            #"{"aps":{"alert":"x","badge":1e2}}"#, #"{"aps":{"alert":"x","badge":9223372036854775808}}"#,
            #"{"aps":{"alert":"x","badge":1.0}}"#, #"{"aps":{"alert":"x"},"n":01}"#, #"{"aps":{"alert":"x"},"n":+1}"#,
            #"{"aps":{"alert":"x"},"n":NaN}"#, #"{"aps":{"alert":"x"} /* note */}"#, #"{"aps":{"alert":"x"}}; "#,
            #"{"aps":{"alert":{}}}"#, #"{"aps":{"alert":""}}"#, #"{"aps":{"alert":{"title":"","body":""}}}"#,
            #"{"aps":{"alert":{"titel":"x"}}}"#, #"{"aps":{"alert":{},"sound":"default"}}"#, #"{"aps":{"sound":{}}}"#,
            #"{"aps":{"alert":{"aps":{"alert":"x"}}}}"#, #"{"alert":"x","badge":1}"#, #"{"aps":{"aps":{"alert":"x"}}}"#,
            #"{"aps":{"alert":{"loc-key":"K","loc-args":["a",2]}}}"#, #"{"aps":{"alert":{"title-loc-key":"K"}}}"#,
            #"{"aps":{"alert":{"body":"x","loc-key":""}}}"#, #"{"aps":{"content-available":1,"alert":{"title":7}}}"#,
            #"{"aps":{"content-available":"1"}}"#, #"{"aps":{"content-available":true}}"#,
            #"{"aps":{"content-available":1,"alert":"x"}}"#, #"{"aps":{"mutable-content":1,"alert":{"title":null}}}"#,
            #"{"aps":{"badge":0}}"#, #"{"aps":{"badge":"auto","alert":"x"}}"#,
            #"{"aps":{"link_url":"https://example.com"}}"#,
            #"{"aps":{"alert":"x","interruption-level":"passive"}}"#, #"{"carillon":{},"aps":{"alert":"x"}}"#,
            #"{"aps":{"alert":{"title":"Hi","subtitle":null,"body":"text"}}}"#,
        ]
        return [PushType.alert, .background].flatMap { type in
            texts.map { Entry(name: "odd", pushType: type, data: Data($0.utf8)) }
        }
    }()

    // MARK: at random

    private static func generated(count: Int) -> [Entry] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).compactMap { number in
            let types = [PushType.alert, .background, .liveactivity]
            guard let type = types.randomElement(using: &generator) else { return nil }
            func members(_ place: PayloadKey.Place) -> [String: JSONValue] {
                var members: [String: JSONValue] = [:]
                for key in PayloadKey.keys(in: place, of: type) where Int.random(in: 0..<3, using: &generator) == 0 {
                    members[key.name] = values.randomElement(using: &generator)
                }
                return members
            }
            var aps = members(.aps)
            if Bool.random(using: &generator) { aps["alert"] = .object(members(.alert)) }
            if Bool.random(using: &generator) { aps["sound"] = .object(members(.sound)) }
            return entry("generated \(number)", type, ["aps": .object(aps), "own": 1])
        }
    }
}
