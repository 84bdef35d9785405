import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("What follows from the outcome of a send")
struct DeliveryRuleTests {
    private let rule = DeliveryRule(assuredWait: .seconds(60))

    private func decide(
        _ outcome: SendOutcome, attempt: Int = 1, tries: Int = 1, mode: DeliveryMode = .visible,
        purpose: PushPurpose = .show, unanswered: Int = 0, registered: Timestamp = noon
    ) throws -> DeliveryRule.Decision {
        let delivery = ClaimedDelivery(
            number: 1, purpose: purpose, device: "phone", app: AppID(topic: topic, environment: .sandbox),
            token: try #require(DeviceToken(hex: "aa")), tokenRegistered: registered, revision: 1, attempt: attempt,
            tries: tries, queued: noon,
            message: ClaimedMessage(
                id: MessageID(test: "m1"), mode: mode, until: nil, payload: Payload(aps: Aps(alert: .text("x"))),
                badgeIsUnreadCount: false), unread: nil, removals: [], hasMoreRemovals: false,
            silentUnanswered: unanswered, hasUnanswered: false)
        let push = try PushComposer.compose(delivery, at: noon)
        return rule.decide(delivery, push, outcome, sent: noon, now: noon, jitter: 0)
    }

    private func rejected(_ status: Int, _ reason: String, _ timestamp: Timestamp? = nil) -> SendOutcome {
        .rejected(SendRejection(reason: APNsReason(rawValue: reason), status: status, timestamp: timestamp))
    }

    @Test("429 and 5xx are tried again, as no attempt of the phone's", arguments: [429, 500, 503])
    func busy(_ status: Int) throws {
        let decision = try decide(rejected(status, "Busy"))
        let said = Settlement.Rejection(reason: "Busy", status: status)
        #expect(decision.settlement.result == .retry(at: noon + .seconds(1), rejection: said, mayHaveArrived: false))
        #expect(decision.health == .unknown)
    }

    @Test("an answer that never came is tried again, and given up before it can alert without end")
    func unknown() throws {
        let first = try decide(.unknown("deadline"))
        #expect(first.settlement.result == .retry(at: noon + .seconds(1), rejection: nil, mayHaveArrived: true))
        let last = try decide(.unknown("deadline"), attempt: ServiceLimits.unansweredAttempts)
        #expect(last.settlement.result == .unanswered)
    }

    @Test("what was never sent is tried again without end and leaves no trace of a sending")
    func notSent() throws {
        let decision = try decide(.notSent("no connection"), tries: 1000)
        #expect(decision.settlement.sent == nil)
        #expect(
            decision.settlement.result == .retry(at: noon + .seconds(450), rejection: nil, mayHaveArrived: false))
    }

    @Test("back-off doubles up to a quarter of an hour")
    func backOff() {
        let schedule = ServiceLimits.deliveryBackoff
        #expect(schedule.wait(failures: 1, jitter: 0) == .seconds(1))
        #expect(schedule.wait(failures: 3, jitter: 0) == .seconds(4))
        #expect(schedule.wait(failures: 50, jitter: 0) == .seconds(450))
        #expect(schedule.wait(failures: 50, jitter: 0.999) < .seconds(900))
    }

    @Test("410 retires the token as of APNs' timestamp, unless it was registered after")
    func unregistered() throws {
        let before = try decide(rejected(410, "Unregistered", noon), registered: noon - .seconds(1))
        #expect(
            before.settlement.result
                == .rejected(Settlement.Rejection(reason: "Unregistered", status: 410), .invalidSince(noon)))
        let after = try decide(rejected(410, "Unregistered", noon - .seconds(1)), registered: noon)
        guard case .retry = after.settlement.result else {
            Issue.record("a token that was registered again was retired")
            return
        }
    }

    @Test("BadDeviceToken quarantines, a payload that is too large is given up")
    func final() throws {
        let bad = try decide(rejected(400, "BadDeviceToken"))
        #expect(
            bad.settlement.result
                == .rejected(Settlement.Rejection(reason: "BadDeviceToken", status: 400), .quarantined))
        let large = try decide(rejected(413, "PayloadTooLarge"))
        #expect(
            large.settlement.result
                == .rejected(Settlement.Rejection(reason: "PayloadTooLarge", status: 413), .unaffected))
    }

    @Test("a credential error stops the app and keeps the message")
    func credential() throws {
        let decision = try decide(rejected(403, "InvalidProviderToken"))
        #expect(decision.health == .refused("InvalidProviderToken"))
        guard case .retry(_, _, mayHaveArrived: false) = decision.settlement.result else {
            Issue.record("the message was not kept")
            return
        }
    }

    @Test("only the silent push of an assured message is followed, at once where three went unanswered")
    func fallback() throws {
        let accepted = SendOutcome.accepted(apnsID: PushIdentifier.uuid(name: "x", namespace: []))
        #expect(try decide(accepted).settlement.result == .accepted(fallbackDue: nil))
        #expect(try decide(accepted, mode: .silent).settlement.result == .accepted(fallbackDue: nil))
        #expect(
            try decide(accepted, mode: .assured).settlement.result == .accepted(fallbackDue: noon + .seconds(60)))
        #expect(
            try decide(accepted, mode: .assured, purpose: .fallback).settlement.result == .accepted(fallbackDue: nil))
        #expect(
            try decide(accepted, mode: .assured, unanswered: 3).settlement.result == .accepted(fallbackDue: noon))
    }

    @Test("a closed gate raises one alarm, is probed, and opens when a probe passes")
    func gates() {
        let app = AppID(topic: topic, environment: .production)
        var gates = CredentialGates(probeInterval: .seconds(300))
        let first = gates.refused(app, reason: "InvalidProviderToken", at: noon)
        let second = gates.refused(app, reason: "InvalidProviderToken", at: noon)
        #expect(first?.reason == "InvalidProviderToken")
        #expect(second == nil)
        #expect(gates.closed == [app])
        #expect(gates.appToProbe(at: noon + .seconds(299)) == nil)
        #expect(gates.appToProbe(at: noon + .seconds(300)) == app)
        let wasClosed = gates.passed(app)
        #expect(wasClosed)
        #expect(gates.closed.isEmpty)
        #expect(gates.alarms.isEmpty)
    }
}
