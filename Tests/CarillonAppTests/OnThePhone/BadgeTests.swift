import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Foundation
import Testing

@MainActor
@Suite("The number on the icon, on the phone")
struct BadgeTests {
    @Test("an unread count of 0 removes the number and leaves the list alone")
    func zeroKeepsList() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            try await fixture.visible("m1")
            try await number(3, fixture)
            #expect(fixture.phone.badge(of: AppFixture.bundleID) == 3)
            try await number(0, fixture)
            #expect(fixture.phone.badge(of: AppFixture.bundleID) == 0)
            #expect(fixture.onScreen == ["m1"])
        }
    }

    @Test("what the service said before a push was composed does not undo the push's number")
    func olderNumber() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            try await number(2, fixture)
            try await number(0, fixture, composed: fixture.clock.now - .seconds(5))
            #expect(fixture.phone.badge(of: AppFixture.bundleID) == 2)
        }
    }

    @Test("the number that was composed last counts, whatever comes late; one that the app itself sets always does")
    func newest() {
        var state = BadgeState()
        for (second, isAccepted) in [(5, true), (4, false), (5, true)] as [(Int64, Bool)] {
            let composed = Timestamp(secondsSince1970: second)
            #expect(state.accepts(composedAt: composed) == isAccepted)
            #expect(state.accepts(composedAt: composed) == isAccepted, "the question changes nothing")
            state.shown(composedAt: composed)
        }
        state.shown(composedAt: nil)
        #expect(state.accepts(composedAt: nil) && !state.accepts(composedAt: Timestamp(secondsSince1970: 4)))
    }

    @Test("a number that iOS did not take does not stop one that was composed before it")
    func notTaken() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            try fixture.set(.badges, to: false)
            try await number(7, fixture)
            try fixture.set(.badges, to: true)
            try await number(2, fixture, composed: fixture.clock.now - .seconds(5))
            #expect(fixture.phone.badge(of: AppFixture.bundleID) == 2)
        }
    }

    private func number(_ count: Int, _ fixture: AppFixture, composed: Timestamp? = nil) async throws {
        let key = CarillonKey(now: composed ?? fixture.clock.now, badge: count)
        try await fixture.push(["aps": ["content-available": 1], "carillon": key.json])
    }
}
