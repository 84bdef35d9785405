import CarillonCore
import Foundation
import Testing

@Suite("The table of Apple's keys") struct PayloadKeyTests {
    /// A value of each kind of JSON, as a mistake.
    private static let strangers: [JSONValue] = [nil, true, -7, 2.5, "?", ["a", 1], ["k": 1]]

    private static let notificationKeys = PayloadKey.Place.allCases.flatMap { PayloadKey.keys(in: $0, of: .alert) }

    private static func good(_ value: PayloadValue) -> JSONValue {
        switch value {
        case .text, .textOrDictionary: "good"
        case .texts: ["good"]
        case .dictionary: [:]
        case .number, .count, .flag: 1
        case .oneOf(let words): .string(words[0])
        }
    }

    /// Returns an `aps` in which every key of the table has a good value, but for one.
    private static func aps(with value: JSONValue?, for key: PayloadKey) -> JSONObject {
        func members(_ place: PayloadKey.Place) -> JSONObject {
            var members: JSONObject = [:]
            for other in PayloadKey.keys(in: place, of: .alert) { members[other.name] = good(other.value) }
            if key.place == place { members[key.name] = value }
            return members
        }
        var aps = members(.aps)
        if key.path != "aps.alert" { aps["alert"] = .object(members(.alert)) }
        if key.path != "aps.sound" { aps["sound"] = .object(members(.sound)) }
        return aps
    }

    @Test("a key with a bad value counts as absent, is named, and takes nothing else away", arguments: notificationKeys)
    func badMember(_ key: PayloadKey) {
        var mistakes = 0
        for value in Self.strangers where key.value.problem(with: value) != nil {
            mistakes += 1
            let (aps, ignored) = Aps.read(Self.aps(with: value, for: key))
            #expect(ignored.map(\.key) == [key.path], "\(key.path): \(value)")
            #expect(aps == Aps.read(Self.aps(with: nil, for: key)).0, "\(key.path): \(value)")
        }
        #expect(mistakes >= 4)
        #expect(key.value.problem(with: nil) != nil)
        #expect(Aps.read(Self.aps(with: Self.good(key.value), for: key)).ignored.isEmpty)
    }

    @Test("who reads strictly refuses the first key that a phone ignores", arguments: notificationKeys)
    func strict(_ key: PayloadKey) {
        for value in Self.strangers where key.value.problem(with: value) != nil {
            let members = Self.aps(with: value, for: key)
            let error = #expect(throws: PayloadError.self) { try Aps(json: .object(members)) }
            #expect(error?.key == key.path)
        }
    }

    @Test("docs/payloads.md has the tables as the code has them")
    func documented() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/payloads.md"), encoding: .utf8)
        for row in PushType.allCases.map(Self.row) + PayloadKey.all.map(Self.row) {
            #expect(page.contains(row + "\n"), "docs/payloads.md lacks the row\n\(row)")
        }
    }

    private static func row(_ type: PushType) -> String {
        let rule = type.rule
        let credential =
            switch rule.credential {
            case .any: "any"
            case .tokenOnly: "token"
            case .certificateOnly: "certificate"
            }
        let cells = [
            "`\(type.rawValue)`", rule.topicSuffix.isEmpty ? "–" : "`\(rule.topicSuffix)`", "\(rule.payloadByteLimit)",
            rule.needsAps ? "yes" : "no", rule.allowsImmediatePriority ? "10, 5, 1" : "5, 1", credential,
        ]
        return "| \(cells.joined(separator: " | ")) |"
    }

    private static func row(_ key: PayloadKey) -> String {
        let evidence =
            switch key.evidence {
            case .attested(let url): "[attested](\(url))"
            case .assumed: "assumed"
            }
        let types = key.pushTypes.map(\.rawValue).sorted().joined(separator: ", ")
        return "| `\(key.path)` | \(types) | \(key.value.name) | absent, \(evidence) |"
    }
}
