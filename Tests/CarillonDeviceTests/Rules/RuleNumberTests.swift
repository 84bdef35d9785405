import CarillonDevice
import Foundation
import Testing

/// The numbered rules of docs/apple-coverage.md, each with what holds it.
@Suite("The numbered rules") struct RuleNumberTests {
    /// The names of the switches in `PhoneRules` for uncertain rules, by the rule's number.
    ///
    /// Tests run with both positions of each switch.
    private static let switches: [Int: String] = [
        9: "foregroundWithoutDelegate", 20: "openingCallsFetchHandlerAgain", 26: "tapRemovesFromList",
        35: "lowPowerModeHoldsSilentPushes", 37: "pushReplacesLocal", 40: "badMemberCountsAsAbsent",
        47: "activityUpdatesPerHour", 49: "widgetReloadsPerDay",
    ]

    /// Rules that a phone cannot ignore, and why.
    private static let unswitchable: [Int: String] = [
        32: "a phone is not told when a push expires, so it has nothing to leave out",
        33: "order and number are the push service's; a phone takes what comes",
        34: "UNNotificationAttachment checks its file by itself, without any phone",
    ]

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let others = ["Activities", "Widgets"].map {
        folder.deletingLastPathComponent().appending(path: $0)
    }

    private func sources(under folder: URL) throws -> String {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return try names.filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }.joined()
    }

    @Test("each can be switched off, or has a switch with two tested positions, or a reason", arguments: 1...52)
    func hasSwitch(_ number: Int) throws {
        let ways = [
            PhoneRule.allCases.contains { $0.number == number }, Self.switches[number] != nil,
            Self.unswitchable[number] != nil,
        ]
        #expect(ways.filter { $0 }.count == 1, "rule \(number)")
        guard let name = Self.switches[number] else { return }
        #expect(
            try ([Self.folder] + Self.others).contains { try sources(under: $0).contains("rules.\(name) = ") },
            "no test moves \(name)")
    }

    @Test("each has a test whose title begins with its number, and a row in the ledger", arguments: 1...52)
    func hasTest(_ number: Int) throws {
        let tests = Self.folder.deletingLastPathComponent()
        #expect(try sources(under: tests).contains("\"\(number): "), "no test's title begins with “\(number): ”")
        let root = tests.deletingLastPathComponent().deletingLastPathComponent()
        let ledger = try String(contentsOf: root.appending(path: "docs/apple-coverage.md"), encoding: .utf8)
        let row = ledger.components(separatedBy: "\n").first { $0.hasPrefix("| \(number) ") }
        let found = try #require(row, "rule \(number) has no row")
        for rule in PhoneRule.allCases where rule.number == number {
            #expect(found.contains(".\(rule.rawValue)"), "the row does not name \(rule.rawValue)")
        }
    }
}
