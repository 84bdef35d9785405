import CarillonCore
import Testing

@testable import CarillonServer

@Suite("Costly reads have shares by app")
struct ReadSharesTests {
    private let apps = (1...4).map { AppNumber(rawValue: $0) }

    @Test("one of each app runs, and few of all; the next is that of an app that waits")
    func order() {
        var shares = ReadShares<String>()
        #expect(shares.arrived(apps[0], "a1") == .runs)
        #expect(shares.arrived(apps[0], "a2") == .waits)
        #expect(shares.arrived(apps[0], "a3") == .waits)
        #expect(shares.arrived(apps[1], "b1") == .runs)
        #expect(shares.arrived(apps[2], "c1") == .waits, "\(StoreLimits.costlyReads) run")
        #expect(shares.ended(apps[0]) == "c1")
        #expect(shares.ended(apps[1]) == "a2")
        #expect(shares.ended(apps[2]) == nil, "a3 waits for a2")
        #expect(shares.ended(apps[0]) == "a3")
        #expect(shares.ended(apps[0]) == nil)
        #expect(shares.arrived(apps[3], "d1") == .runs)
    }

    @Test("so many of one app wait, and those of others are not refused")
    func bound() {
        var shares = ReadShares<Int>()
        #expect(shares.arrived(apps[0], 0) == .runs)
        for number in 1...StoreLimits.waitingCostlyReads { #expect(shares.arrived(apps[0], number) == .waits) }
        #expect(shares.arrived(apps[0], 99) == .isRefused)
        #expect(shares.arrived(apps[1], 0) == .runs)
        #expect(shares.arrived(apps[1], 1) == .waits)
    }
}
