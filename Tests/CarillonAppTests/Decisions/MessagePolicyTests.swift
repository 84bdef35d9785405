import CarillonCore
import Testing

@testable import CarillonMessaging

@Suite("What may be shown, what must go, and what can be said")
final class MessagePolicyTests {
    private let start = Timestamp(secondsSince1970: 1_800_000_000)
    private var policy = MessagePolicy(receiptPrefix: "p")

    private func message(
        _ id: String, until: Timestamp? = nil, attempt: Int = 1, revision: Int = 1, isOurs: Bool = true
    ) throws -> PushMessage {
        let local = LocalNotification(
            identifier: id, aps: Aps(alert: .text("text"), sound: .default), userInfo: [:])
        return PushMessage(
            identifier: id, messageID: isOurs ? try MessageID(id) : nil, presentation: .local(local), until: until,
            attempt: attempt, revision: revision)
    }

    private func arrival(_ message: PushMessage, composedAt: Timestamp?, at now: Timestamp) -> MessagePolicy.Arrival {
        policy.arrival(of: message, composedAt: composedAt, at: now)
    }

    private func remove(_ id: String, revision: Int = 1, isOurs: Bool = true) {
        let removal = PushRemoval(identifier: id, messageID: isOurs ? try? MessageID(id) : nil, revision: revision)
        _ = policy.remove([removal], at: start)
    }

    private func isShown(_ arrival: MessagePolicy.Arrival) -> Bool { if case .show = arrival { true } else { false } }

    @Test("a removal that overtakes its message still wins, also after the store was read again")
    func removalFirst() throws {
        remove("m")
        var random = SeededGenerator(seed: 1)
        var (saved, read) = (StoreContents(using: &random), StoreContents(using: &random))
        saved.policy = policy
        read.apply(try CarillonJSON.decode(StoreChange.self, from: CarillonJSON.encode(saved.everything)))
        policy = read.policy
        #expect(arrival(try message("m"), composedAt: nil, at: start + .seconds(60)) == .veto(.recalled))
    }

    @Test("a tombstone falls after 30 days")
    func tombstoneEnds() throws {
        remove("m")
        let month = Duration.seconds(30 * 24 * 3600)
        #expect(arrival(try message("m"), composedAt: nil, at: start + month) == .veto(.recalled))
        #expect(isShown(arrival(try message("m"), composedAt: nil, at: start + month + .milliseconds(1))))
    }

    @Test("an id that comes round again is stopped once, and only if its removal overtook it")
    func reusedIdentifiers() throws {
        remove("x", isOurs: false)
        #expect(arrival(try message("x", isOurs: false), composedAt: nil, at: start) == .veto(.recalled))
        #expect(isShown(arrival(try message("x", isOurs: false), composedAt: nil, at: start)))
        remove("x", isOurs: false)
        #expect(isShown(arrival(try message("x", isOurs: false), composedAt: nil, at: start)))
    }

    @Test("another sender's removal stops a message that comes within five minutes, and no later one")
    func foreignTombstoneIsShort() throws {
        let theirs = try message("x", isOurs: false)
        remove("x", isOurs: false)
        #expect(arrival(theirs, composedAt: nil, at: start + .seconds(300)) == .veto(.recalled))
        remove("y", isOurs: false)
        let next = try message("y", isOurs: false)
        #expect(isShown(arrival(next, composedAt: nil, at: start + .seconds(301))))
    }

    @Test("a message that was read stays away, but another sender's id comes round again")
    func readThenSentAgain() throws {
        let (ours, theirs) = (try message("m"), try message("x", isOurs: false))
        for message in [ours, theirs] {
            _ = arrival(message, composedAt: nil, at: start)
            policy.wasRead(message, at: start)
        }
        #expect(arrival(ours, composedAt: nil, at: start) == .veto(.recalled))
        #expect(isShown(arrival(theirs, composedAt: nil, at: start)))
        let reports = (0..<2).map { _ in policy.reachesApp(theirs, payload: [:]) }
        #expect(isShown(arrival(theirs, composedAt: nil, at: start)))
        let next = policy.reachesApp(theirs, payload: [:])
        #expect(reports == [true, false] && next, "the next message of that id is another one")
    }

    @Test("a message is seen up to its end and not after it")
    func expiry() throws {
        let end = start + .seconds(10)
        #expect(isShown(arrival(try message("a", until: end), composedAt: start, at: end)))
        let late = try message("b", until: end)
        #expect(arrival(late, composedAt: start, at: end + .milliseconds(1)) == .veto(.expired))
        policy.hasExpired("b", .arrivedLate, at: end)
        #expect(policy.receipts.pending.map(\.event) == [.expired])
        #expect(policy.receipts.pending.first?.detail == "arrived-late")
    }

    @Test("a phone whose clock is hours ahead shows what is current by the service's clock")
    func phoneAhead() throws {
        let phone = start + .seconds(3 * 3600)
        policy.time.heard(start, askedAt: phone, at: phone)
        #expect(isShown(arrival(try message("a", until: start + .seconds(60)), composedAt: start, at: phone)))
        #expect(
            arrival(try message("b", until: start + .seconds(60)), composedAt: start, at: phone + .seconds(61))
                == .veto(.expired))
    }

    @Test("an answer that was long on its way does not set a good clock back, so that what has expired is shown")
    func slowAnswer() throws {
        policy.time.heard(start, askedAt: start - .seconds(1), at: start + .seconds(20))
        let late = try message("a", until: start + .seconds(21))
        #expect(arrival(late, composedAt: start, at: start + .seconds(22)) == .veto(.expired))
    }

    @Test("of a slow answer to a phone whose clock is ahead the smallest error that fits is assumed")
    func slowAnswerAhead() throws {
        let phone = start + .seconds(3600)
        policy.time.heard(start, askedAt: phone - .seconds(10), at: phone)
        #expect(policy.time.now(phone) == start + .seconds(10))
        policy.time.heard(start, askedAt: phone + .seconds(9), at: phone)
        #expect(policy.time.now(phone) == start, "the clock was set back meanwhile")
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
        guard case .showUnlessThere(let quiet) = arrival(try message("m", attempt: 2), composedAt: nil, at: start)
        else {
            Issue.record("a message that may not have been shown must be shown")
            return
        }
        #expect(quiet.sound == nil && quiet.interruptionLevel == .passive)
        policy.wasShown("m", at: start)
        #expect(arrival(try message("m", attempt: 2), composedAt: nil, at: start) == .repeated)
    }

    @Test("a revision with the same id is shown in full")
    func revision() throws {
        _ = arrival(try message("m"), composedAt: nil, at: start)
        policy.wasShown("m", at: start)
        let next = try message("m", revision: 2)
        guard case .show(let notification) = arrival(next, composedAt: nil, at: start) else {
            Issue.record("a revision must be shown")
            return
        }
        #expect(notification.sound == .default)
        #expect(arrival(try message("m"), composedAt: nil, at: start) == .repeated)
    }

    @Test("an id that was recalled and is sent again as a new revision is not eaten by its tombstone")
    func revisionAfterRecall() throws {
        remove("m")
        #expect(arrival(try message("m"), composedAt: nil, at: start) == .veto(.recalled))
        #expect(isShown(arrival(try message("m", revision: 2), composedAt: nil, at: start)))
        remove("m")
        #expect(policy.mayBeSeen(try message("m", revision: 2), at: start))
        remove("m", revision: 2)
        #expect(!policy.mayBeSeen(try message("m", revision: 2), at: start))
    }

    @Test("a removal that is late leaves the revision that has come since on the screen")
    func lateRemoval() throws {
        _ = arrival(try message("m", revision: 2), composedAt: nil, at: start)
        let late = PushRemoval(Removal(try MessageID("m")))
        #expect(!policy.remove([late], at: start).contains("m"))
        #expect(policy.remove([PushRemoval(Removal(try MessageID("m"), revision: 2))], at: start).contains("m"))
    }

    @Test("what the screen did not take is not a second delivery the next time")
    func notTaken() throws {
        _ = arrival(try message("m"), composedAt: nil, at: start)
        policy.couldNotBeShown("m")
        guard case .show(let notification) = arrival(try message("m", attempt: 2), composedAt: nil, at: start) else {
            Issue.record("nobody has seen it")
            return
        }
        #expect(notification.sound == .default)
    }

    @Test("a second attempt that alerted is said to have, one that was made quiet is not")
    func secondAlerts() throws {
        _ = arrival(try message("m"), composedAt: nil, at: start)
        policy.wasShown("m", attempt: 1, at: start)
        policy.wasShown("m", attempt: 1, at: start)
        #expect(policy.receipts.pending.compactMap(\.detail).isEmpty)
        policy.wasShown("m", attempt: 2, at: start)
        policy.wasShown("m", attempt: 2, at: start)
        #expect(policy.receipts.pending.compactMap(\.detail) == [Receipt.shownAgain])

        _ = arrival(try message("n"), composedAt: nil, at: start)
        policy.wasShown("n", attempt: 1, at: start)
        let again = try message("n", attempt: 2)
        #expect(policy.treatment(of: again, composedAt: nil, signedOut: false, at: start) == .quiet)
        policy.wasShown("n", attempt: 2, at: start)
        #expect(policy.receipts.pending.compactMap(\.detail) == [Receipt.shownAgain])
    }

    @Test("the same attempt in the list as of another moment is a second alert, and is said once")
    func doubled() throws {
        _ = arrival(try message("m"), composedAt: nil, at: start)
        policy.wasShown("m", at: start)
        policy.wasShown("m", delivered: start, at: start)
        policy.wasShown("m", delivered: start, at: start + .seconds(5))
        #expect(policy.receipts.pending.compactMap(\.detail).isEmpty)
        policy.wasShown("m", delivered: start + .seconds(2), at: start + .seconds(5))
        policy.wasShown("m", delivered: start + .seconds(3), at: start + .seconds(6))
        #expect(policy.receipts.pending.compactMap(\.detail) == [Receipt.shownAgain])
    }

    @Test("nothing is claimed twice, nothing of another service's, and nothing against the person's will")
    func claims() throws {
        _ = arrival(try message("m"), composedAt: nil, at: start)
        _ = arrival(try message("theirs", isOurs: false), composedAt: nil, at: start)
        for _ in 0..<2 {
            policy.wasShown("m", at: start)
            policy.wasShown("theirs", at: start)
            policy.claim(.acted, of: "m", detail: "VIEW", at: start)
        }
        #expect(policy.receipts.pending.map(\.event) == [.shown, .acted])
        #expect(Set(policy.receipts.pending.map(\.id)).count == 2)
        policy.writesReceipts = false
        policy.claim(.opened, of: "m", at: start)
        #expect(policy.receipts.pending.count == 2)
    }

    @Test("a recall is confirmed once, for a message that was never met too")
    func recalled() throws {
        let removal = PushRemoval(Removal(try MessageID("m")))
        policy.wereRemoved([removal], at: start)
        policy.wereRemoved([removal], at: start)
        #expect(policy.receipts.pending.map(\.event) == [.recalled])
    }

    @Test("what was met is bounded, and the oldest goes first")
    func bounded() throws {
        for number in 0...AppLimits.knownMessages {
            policy.record(try message("m\(number)"), at: start + .seconds(Int64(number)))
        }
        #expect(policy.known.count == AppLimits.knownMessages)
        #expect(policy.known["m0"] == nil && policy.known["m1"] != nil)
        for number in 0...AppLimits.tombstones {
            let removal = PushRemoval(
                identifier: "t\(number)", messageID: try MessageID("t\(number)"), revision: 1)
            _ = policy.remove([removal], at: start + .seconds(Int64(number)))
        }
        #expect(policy.tombstones.count == AppLimits.tombstones)
        let stones = policy.tombstones
        #expect(!stones.contains("t0", revision: 1, at: start) && stones.contains("t1", revision: 1, at: start))
    }

    @Test("a push without an id reaches the app once, though iOS reports it twice; two equal pushes are two")
    func unnamed() {
        let payload: [String: JSONValue] = ["aps": ["alert": "Breaking News!"]]
        let reports = [
            policy.reachesApp(nil, payload: payload), policy.reachesApp(shown: "A", payload: payload),
            policy.reachesApp(shown: "A", payload: payload), policy.reachesApp(shown: "B", payload: payload),
            policy.reachesApp(nil, payload: payload), policy.reachesApp(nil, payload: payload),
        ]
        #expect(reports == [true, false, false, true, false, true])
    }
}
