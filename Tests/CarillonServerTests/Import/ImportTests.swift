import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A file of devices is read")
struct ImportTests {
    private static let rules = ImportRules(apps: [chime, ferry], app: chime, environment: .production)

    private func run(
        _ text: String, _ format: ImportFormat = .ndjson, pieces: Int = 1 << 20, rules: ImportRules = rules,
        into store: Store? = nil, after: ImportReport = ImportReport()
    ) async throws -> ImportReport {
        let own = try await StoreEngine.sqlite.make()
        var run = DeviceImport(format, rules, into: (store ?? own).devices, random: .system, after: after)
        var told: [ImportRefusal] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            told += try await run.received(rest.prefix(pieces), at: noon)
            rest = rest.dropFirst(pieces)
        }
        told += try await run.finish(at: noon)
        #expect(told == run.report.refusals)
        return run.report
    }

    @Test("in whatever pieces it comes, with or without a last line break", arguments: [1, 2, 7, 4096])
    func pieces(_ size: Int) async throws {
        let lines = (0..<20).map { #"{"token": "\#($0 + 10)", "user": "ü\#($0)"}"# }
        for end in ["", "\n", "\r\n\r\n"] {
            let report = try await run(lines.joined(separator: "\r\n") + end, pieces: size)
            #expect(report.added == 20 && report.records == 20 && report.line == 20)
        }
        let csv = "\u{FEFF}user,\"token\",time_zone\r\n\"a \"\"b\"\", c\",aa,\"x\ny\"\r\n,bb,\n"
        let store = try await StoreEngine.sqlite.make()
        let report = try await run(csv, .csv, pieces: size, into: store)
        #expect(report.added == 2 && report.line == 4)
        let devices = try await store.devices(of: UserReference("a \"b\", c", of: chime.number), limit: 10)
        #expect(devices.map(\.facts.timeZone) == ["x\ny"])
    }

    /// One line each, with a word of why it is refused.
    private static let wrong: [(line: String, word: String)] = [
        ("nonsense", "not valid JSON"), ("[]", "no JSON object"), ("{}", "no token"),
        (#"{"token": "xyz"}"#, "hexadecimal"),
        (#"{"token": 1}"#, "a string"), (#"{"token": "aa", "topic": "com.other"}"#, "com.other"),
        (#"{"token": "aa", "environment": "moon"}"#, "sandbox"), (#"{"token": "aa", "user": ""}"#, "1 to 128"),
        (#"{"token": "aa", "tag": ["x"]}"#, "did you mean tags?"), (#"{"token": "aa", "tags": "x"}"#, "array"),
        (#"{"token": "aa", "tags": [""]}"#, "bytes"), (#"{"token": "aa", "locale": 5}"#, "a string"),
        (#"{"token": "aa", "locale": "\#(String(repeating: "x", count: 65))"}"#, "64 bytes"),
        (#"{"token": "aa", "x": \#(String(repeating: "[", count: 40))"#, "levels"),
        (#"{"token": "a\u0000"}"#, "NUL"),
        (String(repeating: "x", count: 17_000), "longer than 16384"),
    ]

    @Test("what is wrong is refused by line and reason, and the rest is imported")
    func refusals() async throws {
        let good = (0..<Self.wrong.count).map { #"{"token": "\#($0 + 10)"}"# }
        let text = zip(Self.wrong.map(\.line), good).map { "\($0)\n\($1)\n" }.joined()
        let report = try await run(text)
        #expect(report.added == good.count && report.refused == Self.wrong.count)
        for (index, refusal) in report.refusals.enumerated() {
            #expect(refusal.line == 2 * index + 1)
            #expect(refusal.reason.contains(Self.wrong[index].word), "\(refusal)")
        }
        var several = Self.rules
        several.app = nil
        #expect(try await run(#"{"token": "aa"}"#, rules: several).refusals.first?.reason.contains("several") == true)
    }

    @Test("CSV by its columns, in any order, with commas, semicolons or tabs", arguments: [",", ";", "\t"])
    func csv(_ mark: String) async throws {
        let store = try await StoreEngine.sqlite.make()
        let rows = [
            ["Token", "user", "environment", "topic", "tags", "locale", "time_zone", "app_version"],
            ["AA", "u1", "sandbox", topic, #""[""a"",""b;c""]""#, "de_AT", "Europe/Vienna", "2.1"],
            ["bb", "u2", "", "", "a|b", "", "", ""], ["cc"], ["\"dd\"x", "", "", "", "", "", "", ""],
            ["\"ee", "", "", "", "", "", "", ""],
        ]
        let report = try await run(rows.map { $0.joined(separator: mark) + "\n" }.joined(), .csv, into: store)
        #expect(report.added == 2 && report.refused == 3, "\(report)")
        #expect(report.refusals.map(\.line) == [4, 5, 6])
        let first = try #require(try await store.devices(of: UserReference("u1", of: chime.number), limit: 2).first)
        #expect(first.environment == .sandbox && first.token == testToken("aa") && first.state == .active)
        #expect(first.facts.tags == ["a", "b;c"] && first.facts.locale == "de_AT" && first.confirmed == noon)
        let second = try await store.devices(of: UserReference("u2", of: chime.number), limit: 2).first
        #expect(second?.facts.tags == ["a", "b"] && second?.environment == .production)
    }

    @Test(
        "a file without a column token, with an unknown column or one twice is no file of devices",
        arguments: [
            "a,b\n1,2\n", "token,tgas\naa,x\n", "token,token\naa,bb\n", "{\"token\": \"aa\"}\n",
        ])
    func header(_ text: String) async throws {
        await #expect(throws: ImportFileError.self) { try await self.run(text, .csv) }
    }

    @Test("an empty file has nothing in it", arguments: ImportFormat.allCases)
    func empty(_ format: ImportFormat) async throws {
        #expect(try await run("", format) == ImportReport())
        #expect(try await run("\n\n\r\n", format) == ImportReport())
    }

    @Test("goes on after the line of an earlier report, and counts on", arguments: ImportFormat.allCases)
    func resume(_ format: ImportFormat) async throws {
        let store = try await StoreEngine.sqlite.make()
        let lines = (10..<60).map { format == .csv ? "\($0)" : #"{"token": "\#($0)"}"# }
        let text = ((format == .csv ? ["token"] : []) + lines).joined(separator: "\n")
        var earlier = ImportReport()
        (earlier.line, earlier.added, earlier.records) = (30, 29, 29)
        let report = try await run(text, format, into: store, after: earlier)
        #expect(report.line == (format == .csv ? 51 : 50))
        #expect(report.added == 29 + (format == .csv ? 21 : 20))
        #expect(try await store.count(.everyone, of: chime, at: noon) == (format == .csv ? 21 : 20))
    }
}
