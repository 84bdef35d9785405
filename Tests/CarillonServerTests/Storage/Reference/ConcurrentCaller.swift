import CarillonAPNs
import CarillonCore
import Foundation

@testable import CarillonServer

/// A call that was made while others were, with its place among them and its answer.
struct PlacedCall: Sendable {
    /// Of its transaction; one that reads comes after what it has seen.
    var place: Int64
    var isReading = false
    var words: String
    /// Makes the same call of the reference.
    ///
    /// - Returns: how the two differ; `nil` when they do not.
    var replay: @Sendable (inout ConcurrentCalls) -> String?
}

/// One of those who call at once: a process with its own connections, whose calls a seed draws.
struct ConcurrentCaller: CallDrawing, Sendable {
    let engine: PlacedEngine
    let store: Store
    let name: String
    var chance: SeededGenerator
    var now = noon
    private var sender: SenderNumber?
    private var leased: [ClaimedDelivery] = []
    private(set) var calls: [PlacedCall] = []

    init(_ engine: PlacedEngine, name: String, chance: SeededGenerator) {
        (self.engine, self.name, self.chance) = (engine, name, chance)
        store = Store(engine)
    }

    /// Makes a few calls, one after the other.
    ///
    /// - Returns: the caller, which has noted them.
    func made(_ count: Int, at moment: Timestamp) async throws -> ConcurrentCaller {
        var caller = self
        (caller.now, caller.calls) = (moment, [])
        for _ in 0..<count { try await caller.makeCall() }
        return caller
    }

    private mutating func makeCall() async throws {
        switch chance.next() % 100 {
        case 0..<16: try await register()
        case 16..<38: try await accept()
        case 38..<42: try await steer()
        case 42..<58: try await claim()
        case 58..<70: try await settle()
        case 70..<78: try await report()
        case 78..<84: try await recall()
        case 84..<88: try await markRead()
        case 88..<90: try await signOut()
        case 90..<91: try await delete()
        case 91..<93: try await release()
        default: try await synchronise()
        }
    }

    /// Notes a call that was made.
    ///
    /// - Parameter place: by default that of its last transaction: one before only counts what decides nothing.
    private mutating func note(
        _ words: String, at place: Int64? = nil, isReading: Bool = false,
        _ replay: @escaping @Sendable (inout ConcurrentCalls) -> String?
    ) {
        let place = place ?? engine.taken().last ?? 0
        calls.append(PlacedCall(place: place, isReading: isReading, words: "\(name): \(words)", replay: replay))
    }

    // MARK: The calls

    private mutating func register() async throws {
        let (new, now) = (drawnDevice(), now)
        let (outcome, changes) = try await store.hearing { try await $0.register(new, at: now) }
        note("register \(new.id) user \(new.user ?? "-") token \(new.token.hex) \(new.environment)") { calls in
            let (record, events) = calls.compared.reference.call(at: now) { $0.register(new) }
            guard case .registered(let known) = outcome else { return "not registered: \(outcome)" }
            return ComparedCalls.difference("registered", known, record)
                ?? calls.compared.difference(ofEvents: changes.timeline, events)
        }
    }

    private mutating func accept() async throws {
        let (app, audience, now) = (pick([chime, chime, ferry]), drawnAudience(), now)
        let new = try drawnMessage(to: audience, of: app)
        let (acceptance, changes) = try await store.hearing { try await $0.accept(new, at: now) }
        note("accept \(app.topic) \(new.id) to \(audience) \(new.mode): \(acceptance)") { calls in
            let (expected, events) = calls.compared.reference.call(at: now) { $0.accept(new) }
            guard case .accepted(let answer) = acceptance, case .accepted(let other) = expected else {
                return ComparedCalls.difference("accept", acceptance, expected)
            }
            return ComparedCalls.difference("accept", answer, other)
                ?? calls.compared.difference(ofEvents: changes.timeline, events)
        }
    }

    private mutating func claim() async throws {
        let (sender, now) = (try await ownSender(), now)
        let (claim, changes) = try await store.hearing {
            try await $0.claim(ClaimRequest(sender: sender, limit: 1000), at: now)
        }
        leased += claim.deliveries
        note("claim by \(sender.rawValue)") { $0.difference(in: claim, changes.timeline, by: sender, at: now) }
    }

    private mutating func settle() async throws {
        let now = now
        let told = leased.filter { _ in !isDrawn(oneIn: 3) }
        if !isDrawn(oneIn: 8) {
            leased.removeAll { kept in told.contains { $0.number == kept.number && $0.lease == kept.lease } }
        }
        let settlements = told.map { drawnSettlement(of: $0, deletes: true) }
        let events = try await store.settle(settlements, SendingRules(), at: now).timeline
        note("settle \(settlements.map { "\($0.device) \($0.purpose) \($0.lease) \($0.outcome)" })") { calls in
            let others = settlements.map { calls.asReferenceHasIt($0) }
            let (_, expected) = calls.compared.reference.call(at: now) { store in
                for settlement in others { store.settle(settlement, SendingRules()) }
            }
            return calls.compared.difference(ofEvents: events, expected)
        }
    }

    private mutating func report() async throws {
        let (phone, receipts, now) = (pick(Self.phones).id, drawnReceipts(), now)
        let (outcome, changes) = try await store.hearing { try await $0.record(receipts, from: phone, at: now) }
        note("\(phone) reports \(receipts.map { "\($0.event) \($0.message) \($0.revision ?? 0) \($0.id)" })") { calls in
            let (recorded, events) = calls.compared.reference.call(at: now) { $0.record(receipts, from: phone) }
            return ComparedCalls.difference("recorded", outcome.recorded, recorded)
                ?? calls.compared.difference(ofEvents: changes.timeline, events)
        }
    }

    private mutating func recall() async throws {
        let message = MessageReference(MessageID(test: pick(Self.ids)), of: pick([chime, chime, ferry]).number)
        let notice = isDrawn(oneIn: 2) ? RecallNotice(title: "Taken back", body: nil) : nil
        let now = now
        let told = try await store.recall(message, notice: notice, SendingRules(), at: now)
        note("recall \(message.app) \(message.id) notice \(notice != nil)") { calls in
            let (isKnown, events) = calls.compared.reference.call(at: now) {
                $0.recall(message, notice, SendingRules())
            }
            return ComparedCalls.difference("known", told != nil, isKnown)
                ?? calls.compared.difference(ofEvents: told ?? [], events)
        }
    }

    private mutating func steer() async throws {
        let message = MessageReference(MessageID(test: pick(Self.ids)), of: pick([chime, chime, ferry]).number)
        let (change, now) = (pick([SendingChange.pause, .pause, .resume, .cancel]), now)
        let told = try await store.steer(message, change, at: now)
        note("\(change.rawValue) \(message.app) \(message.id)") { calls in
            let (isKnown, events) = calls.compared.reference.call(at: now) { $0.steer(message, change) }
            return ComparedCalls.difference("known", told != nil, isKnown)
                ?? calls.compared.difference(ofEvents: told ?? [], events)
        }
    }

    private mutating func markRead() async throws {
        let user = UserReference(pick(Self.users), of: pick([chime, chime, ferry]).number)
        let (selection, device, now) = (drawnSelection(), isDrawn(oneIn: 2) ? pick(Self.phones).id : nil, now)
        let (outcome, changes) = try await store.hearing {
            try await $0.markRead(selection, user: user, on: device, at: now)
        }
        let places = engine.taken()
        note("\(user.id) of \(user.app) reads \(selection) on \(device ?? "-")", at: places.first) { calls in
            let (counts, events) = calls.compared.reference.call(at: now) {
                $0.markRead(selection, user: user, on: device)
            }
            return ComparedCalls.difference("marked", outcome.marked, counts.0)
                ?? calls.compared.difference(ofEvents: changes.timeline, events)
        }
        // The number is told as of a moment later.
        note("\(user.id) of \(user.app) is told the number", at: places.last, isReading: true) { calls in
            let unread = calls.compared.reference.call(at: now) { $0.unreadCount(of: user) }.0
            return ComparedCalls.difference("unread", outcome.unread, unread)
        }
    }

    private mutating func signOut() async throws {
        let (phone, caller, now) = (pick(Self.phones).id, pick([SignOutCaller.app, .service]), now)
        let told = try await store.signOut(phone, by: caller, at: now)
        note("sign out \(phone) by \(caller)") { calls in
            let (_, events) = calls.compared.reference.call(at: now) { $0.signOut(phone, by: caller) }
            return calls.compared.difference(ofEvents: told, events)
        }
    }

    private mutating func delete() async throws {
        let (phone, now) = (pick(Self.phones).id, now)
        let told = try await store.delete(phone, at: now)
        note("delete \(phone)") { calls in
            let (isKnown, events) = calls.compared.reference.call(at: now) { $0.delete(phone) }
            return ComparedCalls.difference("known", told != nil, isKnown)
                ?? calls.compared.difference(ofEvents: told ?? [], events)
        }
    }

    /// The sender ends, and another comes; what it knew may still be told.
    private mutating func release() async throws {
        let (ended, now) = (try await ownSender(), now)
        sender = nil
        let (release, changes) = try await store.hearing {
            try await $0.release(ended, ifStillAt: nil, limit: 10_000, at: now)
        }
        note("sender \(ended.rawValue) ends") { calls in
            let (count, events) = calls.compared.reference.call(at: now) { $0.release(ended) }
            return ComparedCalls.difference("leases", release.count, count)
                ?? calls.compared.difference(ofEvents: changes.timeline, events)
        }
    }

    /// A phone asks what it must know, which only reads.
    private mutating func synchronise() async throws {
        let (phone, now) = (pick(Self.phones).id, now)
        let answer = try await store.sync(phone, limit: 100, at: now)
        note("\(phone) asks", isReading: true) { calls in
            ComparedCalls.difference("sync", answer, calls.compared.reference.sync(phone, at: now))
        }
    }

    private mutating func ownSender() async throws -> SenderNumber {
        if let sender { return sender }
        let joined = try await store.join(name).number
        _ = engine.taken()
        sender = joined
        return joined
    }
}
