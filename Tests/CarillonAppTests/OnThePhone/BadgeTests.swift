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
        try await Bench.run { bench in
            try await bench.suspended()
            try await bench.visible("m1")
            try await number(3, bench)
            #expect(bench.phone.badge(of: Bench.bundleID) == 3)
            try await number(0, bench)
            #expect(bench.phone.badge(of: Bench.bundleID) == 0)
            #expect(bench.onScreen == ["m1"])
        }
    }

    @Test("what the service said before a push was composed does not undo the push's number")
    func olderWord() async throws {
        try await Bench.run { bench in
            try await bench.suspended()
            try await number(2, bench)
            try await number(0, bench, composed: bench.clock.now - .seconds(5))
            #expect(bench.phone.badge(of: Bench.bundleID) == 2)
        }
    }

    @Test("the newest word counts, whatever came late; what the app itself decides always does")
    func news() {
        var news = BadgeNews()
        let counted = [5, 4, 5].map { news.takes(saidAt: Timestamp(secondsSince1970: $0)) }
        #expect(counted == [true, false, true])
        let decided = news.takes(saidAt: nil)
        #expect(decided)
    }

    private func number(_ count: Int, _ bench: Bench, composed: Timestamp? = nil) async throws {
        let key = CarillonKey(now: composed ?? bench.clock.now, badge: count)
        try await bench.push(["aps": ["content-available": 1], "carillon": key.json])
    }
}
