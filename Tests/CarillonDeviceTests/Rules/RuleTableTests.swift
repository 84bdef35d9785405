import CarillonDevice
import Testing

@MainActor @Suite("The table of rules") struct RuleTableTests {
    @Test("every rule that can be switched off has a scenario")
    func isComplete() {
        let told = RuleScenario.all.map(\.rule)
        #expect(Set(told) == Set(PhoneRule.allCases))
        #expect(told.count == Set(told).count)
    }

    @Test("a phone keeps the rule", arguments: PhoneRule.allCases)
    func kept(_ rule: PhoneRule) async throws {
        for scenario in RuleScenario.all where scenario.rule == rule {
            #expect(try await scenario.isKept(PhoneRules()))
        }
    }

    @Test("a phone that ignores the rule is caught", arguments: PhoneRule.allCases)
    func noticed(_ rule: PhoneRule) async throws {
        var rules = PhoneRules()
        rules.ignored = [rule]
        for scenario in RuleScenario.all where scenario.rule == rule {
            #expect(try await !scenario.isKept(rules))
        }
    }
}
