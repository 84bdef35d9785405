import CarillonCore
import Testing

@testable import CarillonServer

@Suite("A notice in the place of a recalled message")
struct RecallNoticeTests {
    /// A message that APNs has accepted and that is recalled with a notice.
    private func recalled(_ mode: DeliveryMode = .visible, silentUnanswered: Int = 0) -> DeliveryScript {
        var script = DeliveryScript(mode: mode)
        script.send()
        return recalled(script, silentUnanswered: silentUnanswered)
    }

    private func recalled(_ script: DeliveryScript, silentUnanswered: Int = 0) -> DeliveryScript {
        var script = script
        script.delivery.silentUnanswered = silentUnanswered
        (script.delivery.isRecalled, script.delivery.hasNotice) = (true, true)
        script.receive(.withdrawn(.recall))
        return script
    }

    @Test(
        "the removal goes first, the notice after the wait for its confirmation, at once where silent pushes go unheard"
    )
    func order() {
        let script = recalled()
        #expect(script.removals == 1)
        #expect(script.delivery.notice?.due == noon + .seconds(60))
        #expect(script.delivery.notice?.isWaiting == true)
        #expect(recalled(silentUnanswered: 3).delivery.notice?.due == noon)
    }

    @Test("no notice where the message never was: not sent, refused, no answer of APNs, silent and not shown")
    func neverThere() {
        #expect(recalled(DeliveryScript()).delivery.notice == nil)
        var refused = DeliveryScript()
        refused.send(.show, rejected("PayloadTooLarge", 413))
        #expect(recalled(refused).delivery.notice == nil)
        var lost = DeliveryScript()
        lost.send(.show, .unanswered("lost"))
        let doubtful = recalled(lost)
        #expect(doubtful.delivery.notice == nil && doubtful.removals == 1)
        for mode in [DeliveryMode.silent, .assured] {
            #expect(recalled(mode).delivery.notice == nil, "\(mode)")
            var shown = DeliveryScript(mode: mode)
            shown.send()
            shown.receive(.reported(.shown, revision: 1))
            #expect(recalled(shown).delivery.notice != nil, "\(mode)")
        }
        var fallback = DeliveryScript(mode: .assured)
        fallback.send()
        fallback.send(.fallback)
        #expect(recalled(fallback).delivery.notice != nil)
    }

    @Test("no notice without a recall that asks for one, nor for what the person has dealt with")
    func notAsked() {
        var plain = DeliveryScript()
        plain.send()
        plain.delivery.isRecalled = true
        plain.receive(.withdrawn(.recall))
        #expect(plain.delivery.notice == nil && plain.removals == 1)
        for event in [ReceiptEvent.opened, .dismissed, .expired] {
            var script = DeliveryScript()
            script.send()
            script.receive(.reported(event, revision: 1))
            #expect(recalled(script).delivery.notice == nil, "\(event)")
        }
    }

    @Test("an attempt in flight is waited for, and decides whether there is anything to stand in for")
    func inFlight() {
        for (outcome, isQueued) in [
            (SendOutcome.accepted(apnsID: PushIdentifier.uuid(name: "x", namespace: [])), true),
            (.notSent("x"), false), (.unanswered("lost"), false),
        ] {
            var script = DeliveryScript()
            let lease = script.lease()
            script = recalled(script)
            #expect(script.delivery.notice == nil && script.removals == 0)
            script.answer(lease, outcome)
            #expect((script.delivery.notice != nil) == isQueued, "\(outcome)")
        }
        var late = DeliveryScript()
        let lease = late.lease()
        late = recalled(late)
        late.receive(.lapsed(.show))
        #expect(late.delivery.notice == nil && late.removals == 1)
        late.answer(lease)
        #expect(late.delivery.notice != nil && late.removals == 1, "APNs took it after all")
        var twice = DeliveryScript()
        let only = twice.lease()
        twice.answer(only)
        twice = recalled(twice)
        twice.answer(only)
        #expect(twice.removals == 0, "the same answer again is no news")
    }

    @Test(
        "the phone's word ends it, while it waits and after an attempt that failed",
        arguments: [
            ReceiptEvent.recalled, .expired, .opened, .dismissed,
        ])
    func confirmed(_ event: ReceiptEvent) {
        var waiting = recalled()
        waiting.receive(.reported(event, revision: 1))
        #expect(waiting.delivery.notice?.state == .cancelled)
        #expect(waiting.details == ["not needed: the device reported \(event.rawValue)"])
        var flying = recalled()
        let lease = flying.lease(.notice)
        flying.receive(.reported(event, revision: 1))
        flying.answer(lease, .notSent("x"))
        #expect(flying.delivery.notice?.state == .cancelled)
        var shown = recalled()
        shown.receive(.reported(.shown, revision: 1))
        #expect(shown.delivery.notice?.isWaiting == true, "shown is not gone")
    }

    @Test("sending it asks for no second removal, and a second recall for no second notice")
    func once() {
        var script = recalled()
        script.send(.notice)
        #expect(script.delivery.notice?.state == .accepted && script.removals == 0)
        script.receive(.withdrawn(.recall))
        #expect(script.delivery.notice?.state == .accepted && script.removals == 0)
        let lease = script.lease(.notice)
        script.receive(.lapsed(.notice))
        #expect(script.removals == 0)
        script.answer(lease)
        #expect(script.removals == 0)
    }

    @Test("a later recall may still bring the notice, and a new revision ends it")
    func laterAndAgain() {
        var script = DeliveryScript()
        script.send()
        script.delivery.isRecalled = true
        script.receive(.withdrawn(.recall))
        script.delivery.hasNotice = true
        script.receive(.withdrawn(.recall))
        #expect(script.delivery.notice?.isWaiting == true && script.removals == 0)
        script.receive(.accepted(revision: 2, user: "u1"))
        #expect(script.delivery.notice?.state == .cancelled && !script.delivery.hasNotice)
        script.send()
        script = recalled(script)
        #expect(script.delivery.notice?.revision == 2 && script.delivery.notice?.isWaiting == true)
    }

    @Test("it expires with its message, and signing out ends it")
    func ends() {
        let script = recalled()
        let here = DeviceStanding(isReachable: true, user: "u1")
        let hindrance = { (until: Timestamp?, device: DeviceStanding) in
            script.delivery.hindrance(to: .notice, device, until: until, script.rules, at: noon)
        }
        #expect(hindrance(nil, here) == nil)
        #expect(hindrance(noon, here) == .expired(.notice, "not sent: its time had passed"))
        #expect(
            hindrance(nil, DeviceStanding(isReachable: true, user: "u2"))
                == .cancelled("the device signed out before it was sent"))
        for event in [DeliveryEvent.withdrawn(.signOut), .cancelled("erased"), .ended] {
            var ended = recalled()
            ended.receive(event)
            #expect(ended.delivery.notice?.isWaiting == false, "\(event)")
        }
    }

    @Test(
        "what is told of the removal is right from the moment of the mark",
        arguments: [
            // asked for, confirmed, notice, may have arrived, settled → recalled, expired, neither
            (
                [true, true, true, true, false], RecallOutcome.confirmed, RecallOutcome.confirmed,
                RecallOutcome.confirmed
            ),
            ([true, false, true, true, false], .replaced, .replaced, .replaced),
            ([true, false, false, true, false], .pending, .pending, .pending),
            ([false, false, false, true, false], .pending, .pending, nil),
            ([false, false, false, true, true], .pending, .confirmed, nil),
            ([false, false, false, false, false], .neverSent, .neverSent, nil),
        ] as [([Bool], RecallOutcome, RecallOutcome, RecallOutcome?)])
    func outcome(_ facts: [Bool], recalled: RecallOutcome, expired: RecallOutcome, neither: RecallOutcome?) {
        func standing(_ isWithdrawn: Bool, _ hasExpired: Bool) -> RecallOutcome? {
            RemovalStanding(
                isWithdrawn: isWithdrawn, hasExpired: hasExpired, isRequested: facts[0], isConfirmed: facts[1],
                hasNotice: facts[2], mayHaveArrived: facts[3], isSettled: facts[4]
            ).outcome
        }
        #expect(standing(true, false) == recalled)
        #expect(standing(true, true) == expired)
        #expect(standing(false, false) == neither)
    }
}

@Suite("The end of a message")
struct MessageEndTests {
    @Test("what may be on the screen is removed; what waits is not sent")
    func ended() {
        var shown = DeliveryScript()
        shown.send()
        shown.receive(.ended)
        #expect(shown.removals == 1 && shown.delivery.removal?.reason == .expired)
        shown.receive(.ended)
        #expect(shown.removals == 0, "once")
        var waiting = DeliveryScript()
        waiting.receive(.ended)
        #expect(waiting.delivery.show.state == .expired && waiting.removals == 0 && waiting.delivery.removal == nil)
        #expect(waiting.details == ["not sent: its time had passed"])
    }

    @Test(
        "no silent push for a device that is done with it, or that is asked already",
        arguments: [
            ReceiptEvent.opened, .dismissed, .expired,
        ])
    func settled(_ event: ReceiptEvent) {
        var script = DeliveryScript()
        script.send()
        script.receive(.reported(event, revision: 1))
        script.receive(.ended)
        #expect(script.removals == 0 && script.delivery.removal == nil)
        var recalled = DeliveryScript()
        recalled.send()
        recalled.receive(.withdrawn(.recall))
        recalled.receive(.ended)
        #expect(recalled.removals == 0 && recalled.delivery.removal?.reason == .recall)
    }

    @Test("an attempt in flight is waited for: it expires unless it may have arrived")
    func inFlight() {
        var failed = DeliveryScript()
        var lease = failed.lease()
        failed.receive(.ended)
        #expect(failed.removals == 0)
        failed.answer(lease, .notSent("x"))
        #expect(failed.delivery.show.state == .expired && failed.removals == 0 && failed.delivery.removal == nil)
        var accepted = DeliveryScript()
        lease = accepted.lease()
        accepted.receive(.ended)
        accepted.answer(lease)
        #expect(accepted.removals == 1)
    }

    @Test("the visible push of an assured message is not sent any more")
    func fallback() {
        var script = DeliveryScript(mode: .assured)
        script.send()
        script.receive(.ended)
        #expect(script.delivery.fallback?.state == .expired && script.removals == 1)
    }
}
