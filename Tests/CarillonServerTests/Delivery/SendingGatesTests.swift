import CarillonAPNs
import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("An app of which nothing can be sent")
struct SendingGatesTests {
    private let app = AppID(topic: topic, environment: .production)
    private let refused = SendOutcome.rejected(APNsRejection(.invalidProviderToken, 403))
    private let accepted = SendOutcome.accepted(apnsID: UUID())

    @Test("a refused credential closes the gate with one alarm, is probed, and opens it when a probe passes")
    func credential() throws {
        var gates = SendingGates()
        let first = gates.received(refused, of: app, at: noon, uptime: .zero)
        let alarm = SendingGates.Alarm(
            app: app, trouble: SendingTrouble(.refusedCredential, "InvalidProviderToken"), since: noon)
        #expect(first == .closed(alarm))
        let second = gates.received(refused, of: app, at: noon, uptime: .zero)
        #expect(second == nil)
        #expect(gates.closed == [app])
        #expect(gates.appToProbe(at: .seconds(299)) == nil)
        #expect(gates.appToProbe(at: .seconds(300)) == app)
        let passed = gates.received(accepted, of: app, at: noon + .seconds(301), uptime: .seconds(301))
        #expect(passed == .opened(alarm))
        #expect(gates.closed.isEmpty && gates.alarms.isEmpty && gates.isQuiet)
    }

    @Test(
        "failures that may pass close the gate after a minute of nothing else",
        arguments: [
            SendOutcome.unconnected("no route"), .unanswered("unknown"),
            .rejected(APNsRejection(.serviceUnavailable, 503)),
            .rejected(APNsRejection(.expiredProviderToken, 403)),
        ])
    func patience(_ failure: SendOutcome) {
        var gates = SendingGates()
        func fail(after seconds: Int) -> SendingGates.Change? {
            gates.received(failure, of: app, at: noon + .seconds(seconds), uptime: .seconds(seconds))
        }
        let early = [fail(after: 0), fail(after: 59)]
        #expect(early == [nil, nil] && gates.closed.isEmpty && !gates.isQuiet)
        guard case .closed(let alarm) = fail(after: 60) else {
            Issue.record("a minute of failures raises no alarm")
            return
        }
        #expect(alarm.since == noon && alarm.trouble == failure.trouble)
        #expect(gates.appToProbe(at: .seconds(69)) == nil)
        #expect(gates.appToProbe(at: .seconds(70)) == app)
        let again = fail(after: 71)
        #expect(again == nil && gates.alarms == [alarm])
        #expect(gates.received(accepted, of: app, at: noon, uptime: .seconds(72)) == .opened(alarm))
    }

    @Test("a failure that nothing followed for longer than any back-off is forgotten", arguments: [960, 961])
    func forgotten(_ seconds: Int) {
        var gates = SendingGates()
        func fail(after seconds: Int) -> SendingGates.Change? {
            gates.received(.unconnected("no route"), of: app, at: noon + .seconds(seconds), uptime: .seconds(seconds))
        }
        let first = fail(after: 0)
        #expect(first == nil)
        guard case .closed(let alarm) = fail(after: seconds) else {
            #expect(seconds == 961)
            return
        }
        #expect(seconds == 960 && alarm.since == noon)
    }

    @Test("one answer within the minute begins it anew, also one that is about the device")
    func answered() {
        var gates = SendingGates()
        let badToken = SendOutcome.rejected(APNsRejection(.badDeviceToken, 400))
        for answer in [accepted, badToken] {
            var changes: [SendingGates.Change?] = []
            for (outcome, seconds) in [(.unconnected("x"), 0), (answer, 30), (.unconnected("x"), 61)]
                as [(SendOutcome, Int)]
            {
                changes.append(gates.received(outcome, of: app, at: noon, uptime: .seconds(seconds)))
            }
            #expect(changes == [nil, nil, nil] && gates.closed.isEmpty)
        }
    }

    @Test(
        "a server that is not trusted closes the gate at once, and the kind of trouble that follows raises its own alarm"
    )
    func kinds() {
        var gates = SendingGates()
        guard case .closed(let first) = gates.received(.distrusted("ended"), of: app, at: noon, uptime: .zero) else {
            Issue.record("no alarm")
            return
        }
        #expect(first.trouble == SendingTrouble(.distrusted, "ended"))
        let second = gates.received(.unconnected("no route"), of: app, at: noon + .seconds(9), uptime: .seconds(9))
        let alarm = SendingGates.Alarm(app: app, trouble: SendingTrouble(.unreachable, "no route"), since: noon)
        #expect(second == .closed(alarm) && gates.alarms == [alarm])
    }

    @Test("a gate opens when nothing of its app waits, and the next refusal closes it again with an alarm of its own")
    func nothingWaits() {
        var gates = SendingGates()
        _ = gates.received(refused, of: app, at: noon, uptime: .zero)
        let over = gates.nothingWaits(of: app)
        #expect(over?.app == app && gates.isQuiet)
        #expect(gates.nothingWaits(of: app) == nil)
        guard case .closed(let again) = gates.received(refused, of: app, at: noon + .seconds(9), uptime: .seconds(9))
        else {
            Issue.record("no alarm")
            return
        }
        #expect(again.since == noon + .seconds(9))
    }

    @Test("the alarm says by how much the clock is off, and what else is at fault than the key")
    func advice() {
        func trouble(_ reason: APNsReason, lead: Duration?) -> SendingTrouble? {
            SendOutcome.rejected(
                APNsRejection(reason: reason, status: 403, timestamp: nil, apnsID: UUID(), clockLead: lead)
            ).trouble
        }
        let slow = trouble(.expiredProviderToken, lead: .seconds(-3_600))
        #expect(
            slow?.kind == .failing && slow?.reason == "ExpiredProviderToken: this machine's clock is 1 h 0 min slow")
        #expect(slow?.advice.contains("Set its clock") == true)
        let fast = trouble(.invalidProviderToken, lead: .seconds(3_600))
        #expect(fast?.kind == .refusedCredential && fast?.reason.hasSuffix("1 h 0 min fast") == true)
        #expect(trouble(.invalidProviderToken, lead: nil)?.reason == "InvalidProviderToken")
        #expect(trouble(.topicDisallowed, lead: nil)?.advice.contains("bundle id, without a suffix") == true)
        let expired = SendOutcome.distrusted("ended", advice: "Check the clock.").trouble
        #expect(expired?.advice.hasSuffix("messages wait. Check the clock") == true)
    }

    @Test("the probe waits as long as APNs asks, and never less than without that")
    func retryAfter() {
        for (asked, seconds) in [(Duration.seconds(120), 180), (.seconds(1), 70)] {
            var gates = SendingGates()
            let busy = SendOutcome.rejected(
                APNsRejection(
                    reason: .serviceUnavailable, status: 503, timestamp: nil, apnsID: UUID(), retryAfter: asked))
            for uptime in [0, 60] { _ = gates.received(busy, of: app, at: noon, uptime: .seconds(uptime)) }
            #expect(gates.closed == [app])
            #expect(gates.appToProbe(at: .seconds(seconds - 1)) == nil)
            #expect(gates.appToProbe(at: .seconds(seconds)) == app)
        }
    }

    @Test("another app's failures are its own")
    func others() {
        var gates = SendingGates()
        let other = AppID(topic: "com.example.other", environment: .production)
        _ = gates.received(.noCredential("none"), of: app, at: noon, uptime: .zero)
        #expect(gates.received(accepted, of: other, at: noon, uptime: .zero) == nil)
        #expect(gates.closed == [app])
    }
}
