import CarillonAPNs
import CarillonCore
import Foundation

@testable import CarillonServer

/// The calls.
extension ComparedCalls {
    mutating func register() async throws -> String? {
        let new = drawnDevice()
        note("register \(new.id) user \(new.user ?? "-") token \(new.token.hex) \(new.environment)")
        let (outcome, changes) = try await engine.hearing { try await $0.register(new, at: now) }
        let (record, events) = reference.call(at: now) { $0.register(new) }
        guard case .registered(let known) = outcome else { return "not registered: \(outcome)" }
        return Self.difference("registered", known, record) ?? difference(ofEvents: changes.timeline, events)
    }

    mutating func accept() async throws -> String? {
        let (app, drawn) = (pick([chime, chime, ferry]), drawnAudience())
        let isForRanges = reference.rangeDevices != nil && isDrawn(oneIn: 2)
        let some = Audience.matching(try AudienceParser.parse("environment:sandbox"))
        let audience = isForRanges ? pick([.everyone, .everyone, some]) : drawn
        let new = try drawnMessage(to: audience, of: app)
        note(
            "accept \(app.topic) \(new.id) to \(audience) \(new.mode) until \(new.isNowOrNever ? "now" : new.until.map { "\($0)" } ?? "-")"
        )
        // What is due must not be asked for its unread count before it is decided whom this one is for.
        let isReplaced = isRanged(MessageReference(new.id, of: new.app.number))
        if reference.rangeDevices != nil, audience.isBroadcast || isReplaced {
            if let difference = try await claim() { return difference }
            // Nor must it wait for what is in flight of the revision before, or end what that has left to do.
            while leased.contains(where: { isRanged(new.id, $0.claim) }) {
                if let difference = try await settleAll(of: new.id) { return difference }
                if let difference = try await claim() { return difference }
            }
        }
        let (acceptance, changes) = try await engine.hearing { try await $0.accept(new, at: now) }
        let (expected, events) = reference.call(at: now) { $0.accept(new) }
        guard case .accepted(let answer) = acceptance, case .accepted(let other) = expected else {
            return Self.difference("accept", acceptance, expected)
        }
        let difference = Self.difference("accept", answer, other) ?? difference(ofEvents: changes.timeline, events)
        // Whom it is for is decided when sending begins: at once, here.
        guard difference == nil, isRanged(MessageReference(new.id, of: new.app.number)) else { return difference }
        return try await claim()
    }

    mutating func claim() async throws -> String? {
        let sender = try await engine.sender("sender-\(senders)")
        var request = ClaimRequest(sender: sender, limit: 1000)
        if isDrawn(oneIn: 3), reference.rangeDevices == nil {
            request.only = AppID(topic: pick([chime, ferry]).topic, environment: .sandbox)
        }
        return try await claim(request)
    }

    /// Claims until there is nothing left to do.
    mutating func claim(_ request: ClaimRequest) async throws -> String? {
        let sender = request.sender
        note("claim by \(sender.rawValue) only \(request.only.map { "\($0)" } ?? "-")")
        var (claimed, told): ([ClaimedDelivery], [TimelineEvent]) = ([], [])
        var isDone = false
        while !isDone {
            let (claim, changes) = try await engine.hearing { [now] in try await $0.claim(request, at: now) }
            claimed += claim.deliveries
            told += changes.timeline
            isDone = claim.examined == 0
        }
        let (expected, events) = reference.call(at: now) { $0.claim(sender, only: request.only) }
        let (difference, pairs) = self.difference(ofClaimed: claimed, expected)
        if let difference = difference ?? self.difference(ofFound: told, events) { return difference }
        leased += pairs
        return nil
    }

    /// Compares what was leased, whatever its order.
    ///
    /// - Returns: how the two differ, and which of the one is which of the other.
    func difference(
        ofClaimed claimed: [ClaimedDelivery], _ expected: [ReferenceClaim]
    ) -> (String?, [(claim: ClaimedDelivery, other: ReferenceClaim)]) {
        let sorted = claimed.sorted { Self.name(compared($0)) < Self.name(compared($1)) }
        let others = expected.sorted { Self.name(compared($0)) < Self.name(compared($1)) }
        var names = sorted.map(compared)
        for (index, other) in others.enumerated() where other.isWaitingUncertain && index < names.count {
            (names[index].hasUnanswered, names[index].isWaitingUncertain) = (other.hasUnanswered, true)
        }
        let difference = Self.difference("claimed", ofAll: names, others.map(compared))
        return (difference, Array(zip(sorted, others)))
    }

    /// Names a push, whichever of the two has it.
    private static func name(_ claim: ClaimedDelivery) -> String {
        "\(claim.device) \(claim.purpose) \(claim.message?.id.rawValue ?? "-") \(claim.revision)"
    }

    private static func name(_ claim: ReferenceClaim) -> String {
        "\(claim.device) \(claim.purpose) \(claim.message?.rawValue ?? "-") \(claim.revision) \(claim.attempt) \(claim.epoch)"
    }

    private func compared(_ claim: ClaimedDelivery) -> ReferenceClaim {
        compared(Self.reference(claim))
    }

    private static func reference(_ claim: ClaimedDelivery) -> ReferenceClaim {
        ReferenceClaim(
            number: 0, purpose: claim.purpose, device: claim.device, token: claim.token, revision: claim.revision,
            attempt: claim.attempt, epoch: claim.lease.epoch, message: claim.message?.id, unread: claim.unread,
            removals: claim.removals, hasUnanswered: claim.hasUnanswered)
    }

    private func compared(_ claim: ReferenceClaim) -> ReferenceClaim {
        var claim = claim
        claim.number = 0
        // The leases of a chunk are counted together.
        if isRanged(claim.message, on: claim.device) { claim.epoch = 0 }
        // By ranges, a push with removals is counted for its chunk, and not for its device.
        if reference.rangeDevices != nil, claim.message == nil { claim.revision = 0 }
        return claim
    }

    private func isRanged(_ message: MessageID, _ claim: ClaimedDelivery) -> Bool {
        claim.message?.id == message && isRanged(message, on: claim.device)
    }

    /// All that is leased of a message is told.
    private mutating func settleAll(of message: MessageID) async throws -> String? {
        let told = leased.filter { isRanged(message, $0.claim) }
        leased.removeAll { kept in told.contains { $0.claim.number == kept.claim.number } }
        return try await settle(told)
    }

    /// Some of what is leased is told; a little of it twice, or after its lease has ended.
    mutating func settle() async throws -> String? {
        // Of an assured message by ranges, the second push of a chunk counts from the last that APNs has accepted: so that it
        // counts alike for all, they are told at once.
        let told = leased.filter { claim, _ in
            let isKept = isDrawn(oneIn: 3)
            return !isKept || (claim.message?.mode == .assured && isRanged(claim.message?.id, on: claim.device))
        }
        let isForgotten = !isDrawn(oneIn: 8)
        if isForgotten {
            leased.removeAll { kept in
                told.contains { $0.claim.number == kept.claim.number && $0.claim.lease == kept.claim.lease }
            }
        }
        return try await settle(told)
    }

    private mutating func settle(_ told: [(claim: ClaimedDelivery, other: ReferenceClaim)]) async throws -> String? {
        var settlements: [(engine: SentPush, reference: SentPush)] = []
        for (claim, known) in told {
            let settlement = drawnSettlement(of: claim, deletes: reference.rangeDevices == nil)
            // A chunk counts its leases and its removals, and the reference those of each device.
            let other = settlement.changed {
                ($0.number, $0.lease.epoch, $0.revision) = (known.number, known.epoch, known.revision)
            }
            settlements.append((settlement, other))
            note("settle \(Self.name(claim)) under \(claim.lease): \(settlement.outcome)")
        }
        let events = try await engine.settle(settlements.map(\.engine), SendingRules(), at: now).timeline
        let (_, expected) = reference.call(at: now) { store in
            for settlement in settlements { store.settle(settlement.reference, SendingRules()) }
        }
        return difference(ofEvents: events, expected)
    }

    /// A phone reports.
    mutating func report() async throws -> String? {
        let phone = pick(Self.phones)
        let receipts = drawnReceipts()
        note("\(phone.id) reports \(receipts.map { "\($0.event) \($0.message) \($0.revision ?? 0) \($0.id)" })")
        let (outcome, changes) = try await engine.hearing { try await $0.record(receipts, from: phone.id, at: now) }
        let (recorded, events) = reference.call(at: now) { $0.record(receipts, from: phone.id) }
        return Self.difference("recorded", outcome.recorded, recorded)
            ?? difference(ofEvents: changes.timeline, events)
    }

    mutating func recall() async throws -> String? {
        let message = MessageReference(MessageID(test: pick(Self.ids)), of: pick([chime, chime, ferry]).number)
        let drawn = isDrawn(oneIn: 2) ? RecallNotice(title: "Taken back", body: nil) : nil
        // By ranges, the notice of a second recall waits for everyone.
        let isAgain = reference.number(of: message).map { reference.message($0).recalled != nil } ?? false
        let notice = isRanged(message) && isAgain ? nil : drawn
        note("recall \(message.app) \(message.id) notice \(notice != nil)")
        let told = try await engine.recall(message, notice: notice, SendingRules(), at: now)
        let (isKnown, events) = reference.call(at: now) { $0.recall(message, notice, SendingRules()) }
        let difference = Self.difference("known", told != nil, isKnown) ?? difference(ofEvents: told ?? [], events)
        // Who is told is looked for when a sender claims: at once, here.
        guard difference == nil, isRanged(message) else { return difference }
        return try await claim()
    }

    /// A backend pauses, resumes or cancels.
    mutating func steer() async throws -> String? {
        let message = MessageReference(MessageID(test: pick(Self.ids)), of: pick([chime, chime, ferry]).number)
        let change = pick([SendingChange.pause, .pause, .resume, .cancel])
        if let number = reference.number(of: message), reference.message(number).isRanged {
            // By ranges, a chunk may have something left while none of its devices has, and a user's inbox does not tell whether
            // the message can have reached one.
            guard change == .resume || reference.hasSomethingLeft(number) else { return nil }
            guard change != .cancel || !reference.message(number).new.countsAsUnread else { return nil }
        }
        note("\(change.rawValue) \(message.app) \(message.id)")
        let told = try await engine.steer(message, change, at: now)
        let (isKnown, events) = reference.call(at: now) { $0.steer(message, change) }
        return Self.difference("known", told != nil, isKnown) ?? difference(ofEvents: told ?? [], events)
    }

    mutating func markRead() async throws -> String? {
        let user = UserReference(pick(Self.users), of: pick([chime, chime, ferry]).number)
        let selection = drawnSelection()
        let device = isDrawn(oneIn: 2) ? pick(Self.phones).id : nil
        note("\(user.id) of \(user.app) reads \(selection) on \(device ?? "-")")
        let (outcome, changes) = try await engine.hearing {
            try await $0.markRead(selection, user: user, on: device, at: now)
        }
        let (counts, events) = reference.call(at: now) { $0.markRead(selection, user: user, on: device) }
        return Self.difference("marked", [outcome.marked, outcome.unread], [counts.0, counts.1])
            ?? difference(ofEvents: changes.timeline, events)
    }

    mutating func signOut() async throws -> String? {
        let (phone, caller) = (pick(Self.phones).id, pick([SignOutCaller.app, .service]))
        note("sign out \(phone) by \(caller)")
        let told = try await engine.signOut(phone, by: caller, at: now)
        let (_, events) = reference.call(at: now) { $0.signOut(phone, by: caller) }
        return difference(ofEvents: told, events)
    }

    mutating func delete() async throws -> String? {
        let phone = pick(Self.phones).id
        note("delete \(phone)")
        let told = try await engine.delete(phone, at: now)
        let (isKnown, events) = reference.call(at: now) { $0.delete(phone) }
        return Self.difference("known", told != nil, isKnown) ?? difference(ofEvents: told ?? [], events)
    }

    /// The sender ends, and another comes; what it knew may still be told.
    mutating func release() async throws -> String? {
        let sender = try await engine.sender("sender-\(senders)")
        senders += 1
        note("sender \(sender.rawValue) ends")
        let (release, changes) = try await engine.hearing {
            try await $0.release(sender, ifStillAt: nil, limit: 10_000, at: now)
        }
        let (count, events) = reference.call(at: now) { $0.release(sender) }
        return Self.difference("leases", release.count, count) ?? difference(ofEvents: changes.timeline, events)
    }
}
