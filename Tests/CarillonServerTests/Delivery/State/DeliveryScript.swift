import CarillonAPNs
import CarillonCore
import Foundation

@testable import CarillonServer

/// One delivery on which a test plays events, and what it asked for.
struct DeliveryScript {
    var delivery: Delivery
    var rules = SendingRules()
    var now = noon
    private(set) var changes: [DeliveryChange] = []
    private var sender: Int64 = 0

    init(mode: DeliveryMode = .visible, user: String? = "u1") {
        delivery = Delivery(mode: mode, user: user, show: Push(revision: 1, queued: noon, due: noon))
    }

    /// The number of removals that the last event asked for.
    var removals: Int { changes.count { $0 == .sendRemoval } }
    /// The events that the last event put onto the timeline.
    var notes: [TimelineEventKind] {
        changes.compactMap { change in
            if case .note(let note) = change { note.event } else { nil }
        }
    }
    var details: [String] {
        changes.compactMap { change in
            if case .note(let note) = change { note.detail } else { nil }
        }
    }

    mutating func receive(_ event: DeliveryEvent) { changes = delivery.received(event, rules, at: now) }

    /// A new sender takes one of the pushes.
    @discardableResult
    mutating func lease(_ purpose: PushPurpose = .show) -> SentPush {
        sender += 1
        receive(.leased(purpose, to: SenderNumber(rawValue: sender)))
        let push = delivery[purpose]
        let lease = Lease(sender: SenderNumber(rawValue: sender), epoch: push?.epoch ?? 0)
        return claimedPush(lease, purpose, revision: push?.revision ?? 0, attempt: push?.attempt ?? 0).settled(at: now)
    }

    /// Its sender says what came of it.
    mutating func answer(_ leased: SentPush, _ outcome: SendOutcome? = nil, silentUnanswered: Int = 0) {
        let sent = SentPush(leased.handOver, place: 0, outcome ?? leased.outcome, at: now)
        let verdict = sent.outcome.verdict(
            tokenRegistered: noon, tries: delivery[sent.purpose]?.tries ?? 0, rules, at: now)
        delivery.silentUnanswered = silentUnanswered
        receive(.answered(sent, verdict))
    }

    /// Leases and answers at once.
    mutating func send(_ purpose: PushPurpose = .show, _ outcome: SendOutcome? = nil, silentUnanswered: Int = 0) {
        answer(lease(purpose), outcome, silentUnanswered: silentUnanswered)
    }
}
