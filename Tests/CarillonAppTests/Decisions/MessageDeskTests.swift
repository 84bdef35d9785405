import CarillonApp
import CarillonCore
import Testing

@Suite("What may be shown, what must go, and what can be said")
final class MessageDeskTests {
    private let start = Timestamp(secondsSince1970: 1_800_000_000)
    private var desk = MessageDesk(receiptPrefix: "p")

    private func message(
        _ id: String, until: Timestamp? = nil, attempt: Int = 1, isOurs: Bool = true
    ) throws -> PushMessage {
        let local = LocalNotification(
            identifier: id, aps: Aps(alert: .text("text"), sound: .default), userInfo: [:])
        return PushMessage(
            identifier: id, messageID: isOurs ? try MessageID(id) : nil, presentation: .local(local), until: until,
            attempt: attempt)
    }

    private func arrival(_ message: PushMessage, composedAt: Timestamp?, at now: Timestamp) -> MessageDesk.Arrival {
        desk.arrived(message, composedAt: composedAt, at: now)
    }

    private func isShown(_ arrival: MessageDesk.Arrival) -> Bool { if case .show = arrival { true } else { false } }

    @Test("a removal that overtakes its message still wins, also after the store was read again")
    func removalFirst() throws {
        desk.remove(["m"], reusesIdentifiers: false, at: start)
        desk = try CarillonJSON.decode(MessageDesk.self, from: CarillonJSON.encode(desk))
        #expect(arrival(try message("m"), composedAt: nil, at: start + .seconds(60)) == .veto(.recalled))
    }

    @Test("a tombstone falls after 30 days")
    func tombstoneEnds() throws {
        desk.remove(["m"], reusesIdentifiers: false, at: start)
        let month = Duration.seconds(30 * 24 * 3600)
        #expect(arrival(try message("m"), composedAt: nil, at: start + month) == .veto(.recalled))
        #expect(isShown(arrival(try message("m"), composedAt: nil, at: start + month + .milliseconds(1))))
    }

    @Test("an id that comes round again is stopped once, and only if its removal overtook it")
    func reusedIdentifiers() throws {
        desk.remove(["x"], reusesIdentifiers: true, at: start)
        #expect(arrival(try message("x", isOurs: false), composedAt: nil, at: start) == .veto(.recalled))
        #expect(isShown(arrival(try message("x", isOurs: false), composedAt: nil, at: start)))
        desk.remove(["x"], reusesIdentifiers: true, at: start)
        #expect(isShown(arrival(try message("x", isOurs: false), composedAt: nil, at: start)))
    }

    @Test("a message is seen up to its end and not after it")
    func expiry() throws {
        let end = start + .seconds(10)
        #expect(isShown(arrival(try message("a", until: end), composedAt: start, at: end)))
        let late = try message("b", until: end)
        #expect(arrival(late, composedAt: start, at: end + .milliseconds(1)) == .veto(.expired))
        desk.hasExpired("b", .arrivedLate, at: end)
        #expect(desk.receipts.pending.map(\.event) == [.expired])
        #expect(desk.receipts.pending.first?.detail == "arrived-late")
    }

    @Test("a phone whose clock is hours ahead shows what is current by the service's clock")
    func phoneAhead() throws {
        let phone = start + .seconds(3 * 3600)
        desk.time.heard(start, at: phone)
        #expect(isShown(arrival(try message("a", until: start + .seconds(60)), composedAt: start, at: phone)))
        #expect(
            arrival(try message("b", until: start + .seconds(60)), composedAt: start, at: phone + .seconds(61))
                == .veto(.expired))
    }

    @Test("a phone whose clock is behind believes the push's own clock")
    func phoneBehind() throws {
        let late = try message("a", until: start)
        #expect(arrival(late, composedAt: start + .seconds(5), at: start - .seconds(3600)) == .veto(.expired))
    }

    @Test("a resend is quiet when the first one was met, and nothing when it was shown")
    func resend() throws {
        let first = try message("m")
        #expect(isShown(arrival(first, composedAt: nil, at: start)))
        guard case .show(let quiet) = arrival(try message("m", attempt: 2), composedAt: nil, at: start) else {
            Issue.record("a message that may not have been shown must be shown")
            return
        }
        #expect(quiet.sound == nil && quiet.interruptionLevel == .passive)
        desk.wasShown("m", at: start)
        #expect(arrival(try message("m", attempt: 2), composedAt: nil, at: start) == .repeated)
    }

    @Test("a revision with the same id is shown in full")
    func revision() throws {
        _ = arrival(try message("m"), composedAt: nil, at: start)
        desk.wasShown("m", at: start)
        guard case .show(let notification) = arrival(try message("m"), composedAt: nil, at: start) else {
            Issue.record("a revision must be shown")
            return
        }
        #expect(notification.sound == .default)
    }

    @Test("nothing is claimed twice, nothing of another service's, and nothing against the person's will")
    func claims() throws {
        _ = arrival(try message("m"), composedAt: nil, at: start)
        _ = arrival(try message("theirs", isOurs: false), composedAt: nil, at: start)
        for _ in 0..<2 {
            desk.wasShown("m", at: start)
            desk.wasShown("theirs", at: start)
            desk.claim(.acted, of: "m", detail: "VIEW", at: start)
        }
        #expect(desk.receipts.pending.map(\.event) == [.shown, .acted])
        #expect(Set(desk.receipts.pending.map(\.id)).count == 2)
        desk.writesReceipts = false
        desk.claim(.opened, of: "m", at: start)
        #expect(desk.receipts.pending.count == 2)
    }

    @Test("a recall is confirmed once, for a message that was never met too")
    func recalled() throws {
        let id = try MessageID("m")
        desk.areGone([id], at: start)
        desk.areGone([id], at: start)
        #expect(desk.receipts.pending.map(\.event) == [.recalled])
    }

    @Test("what was met is bounded, and the oldest goes first")
    func bounded() throws {
        for number in 0...KnownMessages.countLimit {
            desk.meet(try message("m\(number)"), at: start + .seconds(Int64(number)))
        }
        #expect(desk.known.count == KnownMessages.countLimit)
        #expect(desk.known["m0"] == nil && desk.known["m1"] != nil)
        desk.remove((0...Tombstones.countLimit).map { "t\($0)" }, reusesIdentifiers: false, at: start)
        #expect(desk.tombstones.count == Tombstones.countLimit)
    }

    @Test("a push without an id reaches the app once, though iOS reports it twice; two equal pushes are two")
    func unnamed() {
        let payload: [String: JSONValue] = ["aps": ["alert": "Breaking News!"]]
        let reports = [
            desk.reachesApp(nil, payload: payload), desk.reachesApp(shown: "A", payload: payload),
            desk.reachesApp(shown: "A", payload: payload), desk.reachesApp(shown: "B", payload: payload),
            desk.reachesApp(nil, payload: payload), desk.reachesApp(nil, payload: payload),
        ]
        #expect(reports == [true, false, false, true, false, true])
    }
}
