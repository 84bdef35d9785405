import CarillonCore
import Testing

@Suite("A clock's uptime")
struct UptimeTests {
    @Test("setting the wall time does not move the uptime; advancing moves both")
    func manual() {
        let clock = ManualClock(start: Timestamp(secondsSince1970: 1_800_000_000))
        clock.advance(by: .seconds(5))
        clock.set(to: Timestamp(secondsSince1970: 1_900_000_000))
        #expect(clock.uptime == .seconds(5))
        clock.set(to: Timestamp(secondsSince1970: 1))
        clock.advance(by: .seconds(2))
        #expect(clock.uptime == .seconds(7))
        #expect(clock.now == Timestamp(secondsSince1970: 3))
    }

    @Test("the system clock's uptime never goes back")
    func system() {
        let clock = SystemClock()
        let first = clock.uptime
        #expect(clock.uptime >= first)
    }
}
