import CarillonDevice
import Testing

@MainActor @Suite("The table of rules") struct RuleTableTests {
    @Test("every rule that can be switched off has a story")
    func isComplete() {
        let told = RuleScenario.all.map(\.rule)
        #expect(Set(told) == Set(PhoneRule.allCases))
        #expect(told.count == Set(told).count)
    }

    @Test("a phone keeps the rule", arguments: PhoneRule.allCases)
    func kept(_ rule: PhoneRule) async throws {
        for story in RuleScenario.all where story.rule == rule {
            #expect(try await story.isKept(PhoneRules()))
        }
    }

    @Test("a phone that ignores the rule is caught", arguments: PhoneRule.allCases)
    func noticed(_ rule: PhoneRule) async throws {
        var rules = PhoneRules()
        rules.ignored = [rule]
        for story in RuleScenario.all where story.rule == rule {
            #expect(try await !story.isKept(rules))
        }
    }
}
