import CarillonAPNs
import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A delivery decides")
struct DeliveryTests {
    // MARK: Attempts

    @Test("an attempt is counted before it is made, and is none when it cannot have arrived")
    func attempts() {
        var script = DeliveryScript()
        let lease = script.lease()
        #expect(script.delivery.show.attempt == 1)
        #expect(script.delivery.show.reach == .possible)
        script.answer(lease, .notSent("no connection"))
        #expect(script.delivery.show.attempt == 0)
        #expect(script.delivery.show.tries == 1)
        #expect(script.delivery.show.reach == .none)
        #expect(script.delivery.show.due == noon + .seconds(1))
        #expect(script.notes.isEmpty, "nothing was sent, and nothing is known")
        script.send(.show, .unanswered("lost"))
        #expect(script.delivery.show.attempt == 1)
        #expect(script.delivery.show.reach == .possible)
        #expect(script.notes == [.sent, .unanswered])
    }

    @Test("an answer that never comes is given up before it can alert without end")
    func unanswered() {
        var script = DeliveryScript()
        for _ in 1..<DeliveryLimits.unansweredAttempts { script.send(.show, .unanswered("lost")) }
        #expect(script.delivery.show.state == .queued)
        script.send(.show, .unanswered("lost"))
        #expect(script.delivery.show.state == .unanswered)
        #expect(script.details == ["given up, so that it cannot alert again"])
    }

    @Test("a push that APNs cannot take now waits as long as APNs asks, and at least as long as without that")
    func retryAfter() {
        for (asked, least, most) in [(Duration.seconds(120), 120, 120), (.seconds(1), 1, 2), (.zero, 1, 2)] {
            var script = DeliveryScript()
            let rejection = APNsRejection(
                reason: .serviceUnavailable, status: 503, timestamp: nil, apnsID: UUID(), retryAfter: asked)
            script.send(.show, .rejected(rejection))
            let due = script.delivery.show.due
            #expect(due >= noon + .seconds(least) && due <= noon + .seconds(most), "\(asked): \(due)")
        }
    }

    @Test("a message without a credential waits for that, not for its turn")
    func awaitsCredential() {
        var script = DeliveryScript()
        script.send(.show, .noCredential("none"))
        #expect(script.delivery.show.due == noon)
        #expect(script.notes.isEmpty)
    }

    // MARK: Leases

    @Test("only the lease that holds changes the state; any says what is a fact")
    func fence() {
        var script = DeliveryScript()
        let lost = script.lease()
        script.receive(.lapsed(.show))
        #expect(script.delivery.show.isWaiting && script.delivery.show.reach == .possible)
        let held = script.lease()
        #expect(held.attempt == 2)
        script.answer(lost, rejected("BadCollapseId", 400))
        #expect(script.delivery.show.isHeld(under: held.lease))
        #expect(script.notes == [.sent, .rejected])
        script.answer(held)
        #expect(script.delivery.show.state == .accepted)
    }

    @Test("the same sender's earlier lease is another's")
    func epoch() {
        var script = DeliveryScript()
        let first = script.lease()
        script.receive(.lapsed(.show))
        script.receive(.leased(.show, to: first.lease.sender))
        script.answer(first, rejected("BadCollapseId", 400))
        #expect(script.delivery.show.state == .queued && script.delivery.show.isLeased)
    }

    @Test("a newer revision waits for the attempt in flight, and begins with its own first attempt")
    func revision() {
        var script = DeliveryScript()
        let first = script.lease()
        script.receive(.accepted(revision: 2, user: "u1"))
        #expect(script.delivery.show.isLeased, "it must not overtake the first")
        script.answer(first)
        #expect(script.delivery.show.isWaiting)
        #expect(script.delivery.show.reach == .accepted, "the first is on the phone")
        #expect(script.lease().attempt == 1)
    }

    @Test("an attempt that another revision has replaced in flight is told when its sender is gone")
    func replacedInFlight() {
        var script = DeliveryScript()
        script.send(.show, .unanswered("lost"))
        script.lease()
        script.receive(.accepted(revision: 2, user: "u1"))
        script.receive(.lapsed(.show))
        let told = script.changes.compactMap { change in
            if case .note(let note) = change { note } else { nil }
        }
        #expect(told.map(\.event) == [.unanswered])
        #expect(told.map(\.revision) == [1] && told.map(\.attempt) == [2])
    }

    // MARK: Removals

    @Test("what was not sent needs no removal; what may have arrived does")
    func withdrawn() {
        var waiting = DeliveryScript()
        waiting.receive(.withdrawn(.recall))
        #expect(waiting.delivery.show.state == .cancelled && waiting.removals == 0)
        #expect(waiting.delivery.removal == nil)
        var sent = DeliveryScript()
        sent.send()
        sent.receive(.withdrawn(.recall))
        #expect(sent.removals == 1)
        #expect(sent.delivery.removal?.reason == .recall)
        sent.receive(.withdrawn(.read))
        #expect(sent.removals == 0, "once is enough")
    }

    @Test("a removal follows the attempt in flight, whatever came of it", arguments: ["accepted", "lost", "lapsed"])
    func removalAfterLease(_ end: String) {
        var script = DeliveryScript()
        let lease = script.lease()
        script.receive(.withdrawn(.recall))
        #expect(script.removals == 0, "it must not overtake")
        switch end {
        case "accepted": script.answer(lease)
        case "lost": script.answer(lease, .unanswered("lost"))
        default: script.receive(.lapsed(.show))
        }
        #expect(script.removals == 1)
        #expect(script.delivery.show.state != .queued, "and it is not sent again")
    }

    @Test("nothing is to be removed when the attempt in flight cannot have arrived")
    func neverSent() {
        var script = DeliveryScript()
        let lease = script.lease()
        script.receive(.withdrawn(.recall))
        script.answer(lease, rejected("PayloadTooLarge", 413))
        #expect(script.removals == 0 && script.delivery.removal == nil)
    }

    @Test("a removal goes again when a sender that was given up says that APNs took the message after all")
    func removalAgain() {
        var script = DeliveryScript()
        let lost = script.lease()
        script.receive(.withdrawn(.recall))
        script.receive(.lapsed(.show))
        #expect(script.removals == 1)
        script.answer(lost)
        #expect(script.removals == 1)
        script.receive(.reported(.recalled, revision: 1))
        script.answer(lost)
        #expect(script.removals == 0, "the phone says that it is gone")
    }

    @Test("a message that is sent again is no longer to be removed, and what was said of the earlier one is past")
    func again() {
        var script = DeliveryScript()
        script.send()
        script.receive(.reported(.dismissed, revision: 1))
        script.receive(.withdrawn(.read))
        script.receive(.accepted(revision: 2, user: "u1"))
        #expect(script.delivery.removal == nil && script.delivery.answers.isEmpty)
        script.receive(.reported(.opened, revision: 1))
        #expect(script.delivery.answers.isEmpty, "it speaks of the earlier one")
    }

    @Test("a message that was taken back is not tried again, even where nothing is to be removed")
    func recalled() {
        var script = DeliveryScript()
        let lease = script.lease()
        script.delivery.isRecalled = true
        script.answer(lease, .notSent("no connection"))
        #expect(script.delivery.show.state == .cancelled)
    }

    // MARK: The visible push of an assured message

    @Test("only the silent push of an assured message is followed, at once where three went unanswered")
    func fallback() {
        for mode in [DeliveryMode.visible, .silent] {
            var script = DeliveryScript(mode: mode)
            script.send()
            #expect(script.delivery.fallback == nil)
        }
        var assured = DeliveryScript(mode: .assured)
        assured.send()
        #expect(assured.delivery.fallback?.due == noon + .seconds(60))
        assured.send(.fallback)
        #expect(assured.delivery.fallback?.state == .accepted)
        var silent = DeliveryScript(mode: .assured)
        silent.send(silentUnanswered: 3)
        #expect(silent.delivery.fallback?.due == noon)
    }

    @Test("a report stops it while it waits, and while it is in flight unless APNs takes it")
    func reported() {
        var waiting = DeliveryScript(mode: .assured)
        waiting.send()
        waiting.receive(.reported(.received, revision: 1))
        #expect(waiting.delivery.fallback?.isWaiting == true, "received is not shown")
        waiting.receive(.reported(.shown, revision: 1))
        #expect(waiting.delivery.fallback?.state == .cancelled)
        #expect(waiting.details == ["not needed: the device reported shown"])
        for outcome in [SendOutcome.unanswered("lost"), .notSent("x"), rejected("Busy", 503)] {
            var flying = DeliveryScript(mode: .assured)
            flying.send()
            let lease = flying.lease(.fallback)
            flying.receive(.reported(.shown, revision: 1))
            flying.answer(lease, outcome)
            #expect(flying.delivery.fallback?.state == .cancelled, "\(outcome)")
        }
    }

    @Test("a report that comes before APNs' answer leaves nothing to follow")
    func reportedFirst() {
        var script = DeliveryScript(mode: .assured)
        let lease = script.lease()
        script.receive(.reported(.shown, revision: 1))
        script.answer(lease)
        #expect(script.delivery.fallback == nil)
    }

    @Test("a new revision takes the waiting one's place")
    func replacedFallback() {
        var script = DeliveryScript(mode: .assured)
        script.send()
        script.receive(.accepted(revision: 2, user: "u1"))
        #expect(script.delivery.fallback?.state == .cancelled)
        script.now = noon + .seconds(5)
        script.send()
        #expect(script.delivery.fallback?.revision == 2)
        #expect(script.delivery.fallback?.due == noon + .seconds(65))
        #expect(script.delivery.fallback?.isWaiting == true)
    }

    @Test("whatever takes a push's place, what may have reached the phone stays, and the attempts begin anew")
    func requeue() {
        var push = Push(revision: 1, queued: noon, due: noon)
        _ = push.lease(to: SenderNumber(rawValue: 1))
        push.endLease()
        let later = noon + .seconds(5)
        push.requeue(revision: 2, at: later, due: later + .seconds(1))
        #expect(push.reach == .possible)
        #expect((push.attempt, push.tries) == (0, 0))
        #expect((push.queued, push.due) == (later, later + .seconds(1)))
    }

    // MARK: What must not be sent

    private let here = DeviceStanding(isReachable: true, user: "u1")

    private func hindrance(
        _ script: DeliveryScript, _ device: DeviceStanding? = nil, until: Timestamp? = nil, at now: Timestamp = noon
    ) -> DeliveryEvent? {
        script.delivery.hindrance(to: .show, device ?? here, until: until, script.rules, at: now)
    }

    @Test("what has happened since it was queued forbids sending it")
    func hindered() {
        let script = DeliveryScript()
        #expect(hindrance(script) == nil)
        #expect(
            hindrance(script, DeviceStanding(isReachable: false, user: "u1"))
                == .cancelled("the device has no valid token"))
        #expect(
            hindrance(script, DeviceStanding(isReachable: true, user: "u2"))
                == .cancelled("the device signed out before it was sent"))
        #expect(hindrance(script, until: noon) == .expired(.show, "not sent: its time had passed"))
        #expect(
            hindrance(script, at: noon + DeliveryLimits.deliveryLifetime)
                == .expired(.show, "not sent: it waited for 30 days"))
        var recalled = script
        recalled.delivery.isRecalled = true
        #expect(hindrance(recalled) == .cancelled("recalled before it was sent"))
    }

    @Test("a sign-out does not hold up what is for everyone")
    func broadcast() {
        let script = DeliveryScript(user: nil)
        #expect(hindrance(script, DeviceStanding(isReachable: true, user: nil)) == nil)
    }

    @Test("an é and an e with an accent are two people")
    func users() {
        let script = DeliveryScript(user: "ren\u{e9}")
        #expect(hindrance(script, DeviceStanding(isReachable: true, user: "rene\u{301}")) != nil)
    }
}
