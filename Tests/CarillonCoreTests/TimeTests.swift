import CarillonCore
import Foundation
import Synchronization
import Testing

@Suite("Time")
struct TimeTests {
    let start = Timestamp(secondsSince1970: 1_800_000_000)

    @Test("no number from outside brings arithmetic down: beyond the last moment is the last moment")
    func clamped() {
        let (first, last) = (Timestamp(millisecondsSince1970: .min), Timestamp(millisecondsSince1970: .max))
        #expect(last + .seconds(1) == last && first - .seconds(1) == first)
        #expect(last - first == .milliseconds(Int64.max) && first - last == .milliseconds(Int64.min))
        #expect(Timestamp(secondsSince1970: .max) == last && Timestamp(secondsSince1970: .min) == first)
        #expect(Timestamp(Date(timeIntervalSince1970: 1e300)) == last)
        #expect(Duration.seconds(Int64.max).wholeMilliseconds == .max)
        #expect(!last.description.isEmpty && !first.description.isEmpty)
    }

    @Test("a manual clock runs what falls due, in order, each at its own moment")
    func order() {
        let clock = ManualClock(start: start)
        let log = Mutex<[String]>([])
        let note: @Sendable (String) -> Void = { word in
            let seconds = (clock.now - Timestamp(secondsSince1970: 1_800_000_000)).components.seconds
            log.withLock { $0.append("\(word)@\(seconds)") }
        }
        _ = clock.schedule(after: .seconds(3)) { note("c") }
        _ = clock.schedule(after: .seconds(1)) {
            note("a")
            _ = clock.schedule(after: .seconds(1)) { note("b") }
        }
        let cancelled = clock.schedule(after: .seconds(2)) { note("never") }
        cancelled.cancel()
        clock.advance(by: .milliseconds(2999))
        #expect(log.withLock { $0 } == ["a@1", "b@2"])
        clock.advance(by: .milliseconds(1))
        #expect(log.withLock { $0 } == ["a@1", "b@2", "c@3"])
    }

    @Test("a clock that runs overdue actions by itself runs each once, and stops at its limit what repeats itself")
    @MainActor func runsHot() async {
        let clock = ManualClock(start: start, overdueLimit: 100)
        let count = Mutex(0)
        _ = clock.schedule(at: start) { count.withLock { $0 += 1 } }
        #expect(count.withLock(\.self) == 0, "not before the call returns")
        await Self.passMainQueue()
        #expect(count.withLock(\.self) == 1 && clock.scheduledCount == 0 && !clock.hasRunHot)
        clock.advance(by: .seconds(1))
        let again = Mutex<@Sendable () -> Void>({})
        again.withLock {
            $0 = { [start] in
                count.withLock { $0 += 1 }
                _ = clock.schedule(at: start, again.withLock(\.self))
            }
        }
        again.withLock(\.self)()
        for _ in 0..<200 { await Self.passMainQueue() }
        #expect(count.withLock(\.self) == 102 && clock.scheduledCount == 1 && clock.hasRunHot)
    }

    private static func passMainQueue() async {
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }

    @Test("a sleeping task wakes when its clock gets there, and throws when it is cancelled")
    func sleeping() async throws {
        let clock = ManualClock(start: start)
        async let slept: Void = clock.sleep(for: .seconds(5))
        while clock.nextDeadline == nil { await Task.yield() }
        clock.advance(by: .seconds(5))
        try await slept

        let task = Task { try await clock.sleep(for: .seconds(5)) }
        while clock.nextDeadline == nil { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("a moment reads and writes RFC 3339, and numbers are milliseconds")
    func rfc3339() throws {
        let moment = try #require(Timestamp(rfc3339: "2027-01-31T12:00:00Z"))
        #expect(moment.description == "2027-01-31T12:00:00.000Z")
        #expect(Timestamp(rfc3339: "2027-01-31T13:00:00.250+01:00") == moment + .milliseconds(250))
        #expect(Timestamp(rfc3339: "2027-01-31t12:00:00z") == moment, "RFC 3339 §5.6 allows lower case")
        #expect(Timestamp(rfc3339: "tomorrow") == nil)
        let decoded = try CarillonJSON.decode([Timestamp].self, from: Data(#"["2027-01-31T12:00:00Z", 5]"#.utf8))
        #expect(decoded == [moment, Timestamp(millisecondsSince1970: 5)])
    }

    @Test("a moment is the same after its own text, to the millisecond, before 1970 too")
    func textIsExact() throws {
        var random = SeededGenerator(seed: 7)
        let range = Int64(-62_135_596_800_000)...253_402_300_799_999  // the years 1 to 9999
        let any = (0..<2000).map { _ in Int64.random(in: range, using: &random) }
        let recent = (0..<2000).map { 1_795_305_600_000 + Int64($0) }
        for milliseconds in any + recent + [-1, -1000, -1001, 0, 999] {
            let moment = Timestamp(millisecondsSince1970: milliseconds)
            #expect(Timestamp(rfc3339: moment.description) == moment, "\(milliseconds)")
        }
        #expect(Timestamp(millisecondsSince1970: -1).description == "1969-12-31T23:59:59.999Z")
        #expect(Timestamp(millisecondsSince1970: 1_795_305_607_919).description == "2026-11-22T00:00:07.919Z")
    }

    @Test("seconds round down, also before 1970")
    func seconds() {
        #expect(Timestamp(millisecondsSince1970: 1999).secondsSince1970 == 1)
        #expect(Timestamp(millisecondsSince1970: -1).secondsSince1970 == -1)
    }
}
