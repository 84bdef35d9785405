import CarillonApp
import CarillonCore
import CarillonDevice
import Foundation
import Testing

@MainActor
@Suite("The number on the icon, on the phone")
struct BadgeTests {
    @Test("an unread count of 0 takes the number away and leaves the list alone")
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
    func olderWord() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            try await number(2, fixture)
            try await number(0, fixture, composed: fixture.clock.now - .seconds(5))
            #expect(fixture.phone.badge(of: AppFixture.bundleID) == 2)
        }
    }

    @Test("the newest word counts, whatever came late; what the app itself decides always does")
    func news() {
        var news = BadgeState()
        let counted = [5, 4, 5].map { news.takes(saidAt: Timestamp(secondsSince1970: $0)) }
        #expect(counted == [true, false, true])
        let decided = news.takes(saidAt: nil)
        #expect(decided)
    }

    private func number(_ count: Int, _ fixture: AppFixture, composed: Timestamp? = nil) async throws {
        let key = CarillonKey(now: composed ?? fixture.clock.now, badge: count)
        try await fixture.push(["aps": ["content-available": 1], "carillon": key.json])
    }
}
