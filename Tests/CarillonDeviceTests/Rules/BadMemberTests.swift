import CarillonCore
import CarillonDevice
import Testing
import UIKit

/// Tests of rule 40, about which Apple says nothing.
@MainActor @Suite("Members that iOS cannot read") struct BadMemberTests {
    @Test("40: a bad member of an alert counts as absent, or takes the alert away", arguments: [true, false])
    func badMember(_ isAbsent: Bool) async throws {
        var rules = PhoneRules()
        rules.badMemberCountsAsAbsent = isAbsent
        try await AppUnderTest.run(rules: rules) { app, _ in
            try await app.suspendAllowed()
            let trace = try await app.push(["aps": ["alert": ["title": "Hi", "subtitle": nil, "body": "text"]]])
            #expect(trace.notes.contains("ignored: aps.alert.subtitle must be a string, not null"))
            #expect(app.shown.map(\.content.body) == (isAbsent ? ["text"] : []))
            #expect(app.shown.map(\.content.title) == (isAbsent ? ["Hi"] : []))
        }
    }

    @Test("40: true counts as 1 in content-available, or for nothing", arguments: [true, false])
    func flag(_ counts: Bool) async throws {
        var rules = PhoneRules()
        rules.trueCountsAsOne = counts
        try await AppUnderTest.run(rules: rules) { app, _ in
            try await app.suspendAllowed()
            let trace = try await app.push(["aps": ["content-available": true]], type: .background)
            #expect((trace.wake != nil) == counts)
        }
    }

    @Test("an alert without any text shows nothing and wakes no extension")
    func withoutText() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.suspendAllowed()
            let trace = try await app.push(["aps": ["alert": ["title": 7], "mutable-content": 1]])
            #expect(app.shown.isEmpty && trace.presentation == nil)
        }
    }
}
