import CarillonCore
import Testing

@testable import CarillonMessaging

@Suite("The receipts of Live Activities")
struct ActivityReportsTests {
    private let noon = Timestamp(secondsSince1970: 1_800_000_000)

    private func state(_ timestamp: Int64, id: String = "match-7") -> LiveActivityStates.State {
        LiveActivityStates.State(type: "Match", id: id, timestamp: timestamp, attributes: [:], contentState: [:])
    }

    private func failure(_ status: Int, _ name: String) -> RequestFailure {
        RequestFailure(
            ServiceCallError(request: "POST devices", problem: .refused(status, name, "no")), at: noon, jitter: 0)
    }

    /// The events that wait, such as `updated 5`.
    private func words(_ reports: ActivityReports) -> [String] {
        reports.pending.map { "\($0.event.rawValue)\($0.timestamp.map { " \($0)" } ?? "")" }
    }

    @Test("each event is reported once, and a content only if it is newer than that before")
    func once() {
        var reports = ActivityReports()
        for _ in 0..<2 {
            reports.started("Match", "match-7", at: noon)
            reports.shows(state(5), at: noon)
            reports.cannotDecode(state(6), "goals must be Int", at: noon)
        }
        #expect(words(reports) == ["started", "updated 5", "undecodable 6"])
        reports.answered(reports.pending, reports.question, at: noon)
        reports.started("Match", "match-7", at: noon)
        for timestamp in [4, 5] { reports.shows(state(Int64(timestamp)), at: noon) }
        reports.cannotDecode(state(6), "goals must be Int", at: noon)
        #expect(words(reports).isEmpty)
        for timestamp in [7, 8] { reports.shows(state(Int64(timestamp)), at: noon) }
        #expect(words(reports) == ["updated 8"], "a later content takes the place of one that waits")
    }

    @Test("stale, active again and stale again are told, and after a dismissal a new start is")
    func states() {
        var reports = ActivityReports()
        reports.changed(to: .stale, "Match", "match-7", at: noon)
        #expect(words(reports).isEmpty, "it is not on the screen")
        reports.started("Match", "match-7", at: noon)
        for _ in 0..<2 { reports.changed(to: .stale, "Match", "match-7", at: noon) }
        #expect(words(reports) == ["started", "stale"])
        reports.answered(reports.pending, reports.question, at: noon)
        reports.changed(to: .stale, "Match", "match-7", at: noon)
        #expect(words(reports).isEmpty)
        reports.changed(to: nil, "Match", "match-7", at: noon)
        reports.changed(to: .stale, "Match", "match-7", at: noon)
        for state in [LiveActivityReceipt.Event.ended, .dismissed, .ended] {
            reports.changed(to: state, "Match", "match-7", at: noon)
        }
        #expect(words(reports) == ["stale", "ended", "dismissed"])
        reports.started("Match", "match-7", at: noon)
        #expect(words(reports) == ["stale", "ended", "dismissed", "started"])
    }

    @Test("a launch without a Live Activity reports that it has left the screen, and no other")
    func launch() {
        var reports = ActivityReports()
        for id in ["match-7", "match-8"] { reports.started("Match", id, at: noon) }
        reports.started("Order", "order-1", at: noon)
        reports.answered(reports.pending, reports.question, at: noon)
        for _ in 0..<2 { reports.keep(only: ["match-8"], of: "Match", at: noon + .seconds(1)) }
        #expect(words(reports) == ["dismissed"] && reports.pending.first?.id == "match-7")
        #expect(reports.pending.first?.at == noon + .seconds(1))
    }

    @Test("a question waits half a minute after the last, and a receipt does not")
    func pace() {
        var reports = ActivityReports()
        #expect(!reports.isDue(at: noon) && reports.nextAttempt(at: noon) == nil)
        reports.ask()
        #expect(reports.isDue(at: noon))
        reports.answered([], reports.question, at: noon)
        #expect(!reports.hasWork)
        reports.ask()
        let later = noon + .seconds(29)
        #expect(!reports.isDue(at: later) && reports.nextAttempt(at: later) == noon + .seconds(30))
        #expect(reports.isDue(at: noon + .seconds(30)) && reports.isDue(at: noon + .seconds(-3600)))
        reports.shows(state(5), at: later)
        #expect(reports.isDue(at: later) && reports.nextAttempt(at: later) == nil)
    }

    @Test("what is asked while a question is on its way is asked again; an urgent question waits for no pace")
    func questions() {
        var reports = ActivityReports()
        reports.ask()
        reports.ask()
        #expect(reports.question == 1, "a question that has not been sent is enough")
        reports.began()
        reports.ask(isUrgent: true)
        #expect(reports.question == 2)
        reports.answered([], 1, at: noon)
        #expect(reports.isDue(at: noon + .seconds(1)), "the answer is older than the urgent question")
        reports.began()
        reports.answered([], 2, at: noon)
        #expect(!reports.hasWork)
        reports.ask()
        #expect(!reports.isDue(at: noon + .seconds(1)))
        reports.began()
        reports.clear()
        #expect(!reports.hasWork, "a sign-out")
        reports.ask()
        #expect(reports.question == 4 && reports.isDue(at: noon + .seconds(1)))
    }

    @Test("a failure delays all, a refusal for good drops what was sent, and a sign-out everything")
    func failures() {
        var reports = ActivityReports()
        reports.started("Match", "match-7", at: noon)
        reports.failed(reports.pending, failure(503, "unavailable"))
        #expect(words(reports) == ["started"] && !reports.isDue(at: noon))
        #expect(reports.nextAttempt(at: noon) == reports.backoff.notBefore)
        let sent = reports.pending
        reports.shows(state(5), at: noon)
        reports.failed(sent, failure(422, "invalid-value"))
        #expect(words(reports) == ["updated 5"])
        reports.clear()
        #expect(!reports.hasWork && reports.backoff == RetryState())
    }

    @Test("as many wait as a request has, the newest, and a long reason is cut")
    func bounds() {
        var reports = ActivityReports()
        for number in 0...LiveActivityReceipt.limit { reports.started("Match", "m\(number)", at: noon) }
        #expect(reports.pending.count == LiveActivityReceipt.limit && reports.pending.last?.id == "m64")
        reports.cannotDecode(state(1), String(repeating: "é", count: 200), at: noon)
        #expect(reports.pending.last?.detail?.utf8.count == LiveActivityReceipt.detailByteLimit)
    }
}
