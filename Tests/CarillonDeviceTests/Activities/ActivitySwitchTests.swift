import CarillonDevice
import Foundation
import Testing

/// Beside ``RuleTableTests``, which has the rules that can be ignored: the switches with another value than yes.
@MainActor @Suite("The switches of the rules of Live Activities") struct ActivitySwitchTests {
    nonisolated private static let numbers = 41...47

    @Test("the table has each switch that the ledger names for the rules 41 to 47, and each rule")
    func isComplete() throws {
        let ledger = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/apple-coverage.md")
        let rows = try String(contentsOf: ledger, encoding: .utf8).split(separator: "\n")
        var named: [String: Int] = [:]
        for row in rows {
            guard let match = row.prefixMatch(of: #/\| (\d+) /#), let number = Int(match.1),
                Self.numbers.contains(number)
            else { continue }
            for word in row.matches(of: #/`([a-z]\w+)`/#) { named[String(word.1)] = number }
        }
        let table = ActivitySwitch.all.map { ($0.name, $0.number) }
        #expect(Dictionary(table) { first, _ in first } == named)
        let rules = Set(PhoneRule.allCases.compactMap(\.number)).union(table.map(\.1))
        #expect(Self.numbers.allSatisfy(rules.contains))
    }

    @Test("a phone with the default is as the ledger says", arguments: 0..<ActivitySwitchTests.count)
    func kept(_ index: Int) async throws {
        let one = ActivitySwitch.all[index]
        #expect(try await one.isKept(PhoneRules()), "\(one.number): \(one.name)")
    }

    @Test("a phone with another value is caught", arguments: 0..<ActivitySwitchTests.count)
    func noticed(_ index: Int) async throws {
        let one = ActivitySwitch.all[index]
        var rules = PhoneRules()
        one.change(&rules)
        #expect(try await !one.isKept(rules), "\(one.number): \(one.name)")
    }

    nonisolated private static let count = 12
}
