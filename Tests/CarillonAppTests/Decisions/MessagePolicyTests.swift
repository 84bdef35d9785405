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

    /// The verdict on a message, which then arrives in a push.
    private func arrival(_ message: PushMessage, composedAt: Timestamp?, at now: Timestamp) -> MessageVerdict {
        var message = message
        message.composedAt = composedAt
        let moment = MessageMoment(now: now)
        let verdict = policy.verdict(on: message, moment)
        _ = plan(of: message, moment)
        return verdict
    }

    /// The plan for a message in a push whose removals are carried out.
    private func plan(of message: PushMessage, _ moment: MessageMoment) -> MessagePlan {
        for step in policy.pushed(PushInstructions(dialect: .carillon, message: message), moment).steps {
            if case .decide(let next) = step { return next(&policy, (), moment) }
        }
        return .nothing
    }

    /// Lets a message arrive while Notification Center is empty.
    ///
    /// - Returns: the notification that the SDK adds.
    private func added(_ message: PushMessage) -> LocalNotification? {
        let moment = MessageMoment(now: start)
        var steps = plan(of: message, moment).steps
        if case .find(_, let next)? = steps.first { steps = next(&policy, nil, moment).steps }
        for case .add(let notification, _) in steps { return notification }
        return nil
    }

    /// The receipts, without those that say no more than that a message has arrived.
    private var receipts: [Receipt] { policy.receipts.pending.filter { $0.event != .received } }

    private func remove(_ id: String, revision: Int = 1, isOurs: Bool = true) {
        let removal = PushRemoval(identifier: id, messageID: isOurs ? try? MessageID(id) : nil, revision: revision)
        _ = policy.remove([removal], at: start)
    }

    @Test("an older version is not given to the app in the place of a newer one, which is given afterwards")
    func olderIsNotGiven() throws {
        let (old, new) = (try message("m"), try message("m", revision: 2))
        for message in [new, old] { policy.record(message, at: start) }
        let moment = MessageMoment(now: start)
        let given = [
            policy.markReachedApp(shown: "m", revision: 1, payload: [:]),
            policy.markReachedApp(old, payload: [:], moment),
            policy.markReachedApp(shown: "m", revision: 2, payload: [:]),
            policy.markReachedApp(new, payload: [:], moment),
        ]
        #expect(given == [false, false, true, false])
    }

    @Test("a removal that overtakes its message still wins, also after the store was read again")
    func removalFirst() throws {
        remove("m")
        var random = SeededGenerator(seed: 1)
        var (saved, read) = (StoreContents(using: &random), StoreContents(using: &random))
        saved.policy = policy
        read.apply(try CarillonJSON.decode(StoreChange.self, from: CarillonJSON.encode(saved.everything)))
        policy = read.policy
        #expect(arrival(try message("m"), composedAt: nil, at: start + .seconds(60)) == .recalled(.recall))
    }

    @Test("a tombstone falls after 30 days")
    func tombstoneEnds() throws {
        remove("m")
        let month = Duration.seconds(30 * 24 * 3600)
        #expect(arrival(try message("m"), composedAt: nil, at: start + month) == .recalled(.recall))
        #expect(arrival(try message("m"), composedAt: nil, at: start + month + .milliseconds(1)) == .new)
    }

    @Test("an id that comes round again is stopped once, and only if its removal overtook it")
    func reusedIdentifiers() throws {
        remove("x", isOurs: false)
        #expect(arrival(try message("x", isOurs: false), composedAt: nil, at: start) == .recalled(.recall))
        #expect(arrival(try message("x", isOurs: false), composedAt: nil, at: start) == .new)
        remove("x", isOurs: false)
        #expect(arrival(try message("x", isOurs: false), composedAt: nil, at: start) == .new)
    }

    @Test("another sender's removal stops a message that comes within five minutes, and no later one")
    func foreignTombstoneIsShort() throws {
        let theirs = try message("x", isOurs: false)
        remove("x", isOurs: false)
        #expect(arrival(theirs, composedAt: nil, at: start + .seconds(300)) == .recalled(.recall))
        remove("y", isOurs: false)
        let next = try message("y", isOurs: false)
        #expect(arrival(next, composedAt: nil, at: start + .seconds(301)) == .new)
    }

    @Test("a message that was read stays away, but another sender's id comes round again")
    func readThenSentAgain() throws {
        let (ours, theirs) = (try message("m"), try message("x", isOurs: false))
        for message in [ours, theirs] {
            _ = arrival(message, composedAt: nil, at: start)
            _ = policy.read(message, at: start)
        }
        #expect(arrival(ours, composedAt: nil, at: start) == .read)
        #expect(arrival(theirs, composedAt: nil, at: start) == .new)
        let reports = (0..<2).map { _ in policy.markReachedApp(theirs, payload: [:]) }
        #expect(arrival(theirs, composedAt: nil, at: start) == .new)
        let next = policy.markReachedApp(theirs, payload: [:])
        #expect(reports == [true, false] && next, "the next message of that id is another one")
    }

    @Test("a message is seen up to its end and not after it")
    func expiry() throws {
        let end = start + .seconds(10)
        #expect(arrival(try message("a", until: end), composedAt: start, at: end) == .new)
        let late = try message("b", until: end)
        #expect(arrival(late, composedAt: start, at: end + .milliseconds(1)) == .expired)
        policy.recordWithheld(late, .expired, .arrivedLate, at: end)
        #expect(receipts.map(\.event) == [.expired])
        #expect(receipts.first?.detail == "arrived-late")
    }

    @Test("a phone whose clock is hours ahead shows what is current by the service's clock")
    func phoneAhead() throws {
        let phone = start + .seconds(3 * 3600)
        policy.time.heard(start, askedAt: phone, at: phone)
        #expect(arrival(try message("a", until: start + .seconds(60)), composedAt: start, at: phone) == .new)
        #expect(
            arrival(try message("b", until: start + .seconds(60)), composedAt: start, at: phone + .seconds(61))
                == .expired)
    }

    @Test("an answer that was long on its way does not set a good clock back, so that what has expired is shown")
    func slowAnswer() throws {
        policy.time.heard(start, askedAt: start - .seconds(1), at: start + .seconds(20))
        let late = try message("a", until: start + .seconds(21))
        #expect(arrival(late, composedAt: start, at: start + .seconds(22)) == .expired)
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
        #expect(arrival(late, composedAt: start + .seconds(5), at: start - .seconds(3600)) == .expired)
    }

    @Test("a resend is quiet when the first one was met, and nothing when it was shown")
    func resend() throws {
        #expect(added(try message("m"))?.sound == .default)
        let again = try message("m", attempt: 2)
        let quiet = try #require(added(again), "a message that may not have been shown must be shown")
        #expect(quiet.sound == nil && quiet.interruptionLevel == .passive)
        policy.markShown("m", at: start)
        #expect(arrival(again, composedAt: nil, at: start) == .repeated(wasShown: true))
        #expect(added(again) == nil)
    }

    @Test("a revision with the same id is shown in full")
    func revision() throws {
        _ = arrival(try message("m"), composedAt: nil, at: start)
        policy.markShown("m", at: start)
        #expect(added(try message("m", revision: 2))?.sound == .default, "a revision must be shown")
        #expect(arrival(try message("m"), composedAt: nil, at: start) == .stale)
        #expect(added(try message("m")) == nil)
    }

    @Test("an id that was recalled and is sent again as a new revision is not eaten by its tombstone")
    func revisionAfterRecall() throws {
        remove("m")
        #expect(arrival(try message("m"), composedAt: nil, at: start) == .recalled(.recall))
        #expect(arrival(try message("m", revision: 2), composedAt: nil, at: start) == .new)
        remove("m")
        #expect(arrival(try message("m", revision: 2), composedAt: nil, at: start) == .repeated(wasShown: false))
        remove("m", revision: 2)
        #expect(arrival(try message("m", revision: 2), composedAt: nil, at: start) == .recalled(.recall))
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
        #expect(added(try message("m", attempt: 2))?.sound == .default, "nobody has seen it")
    }

    @Test("reading a message leaves the service's reason for its removal, which is still to be confirmed")
    func readAndRecalled() throws {
        remove("m")
        _ = policy.read(try message("m"), at: start)
        #expect(policy.tombstones.reason("m") == .recall)
        _ = policy.read(try message("m", revision: 2), at: start)
        #expect(policy.tombstones.reason("m") == nil, "the recall was of the version before")
    }

    @Test("a second attempt that alerted is said to have, one that was made quiet is not")
    func secondAlerts() throws {
        _ = arrival(try message("m"), composedAt: nil, at: start)
        policy.markShown("m", attempt: 1, at: start)
        policy.markShown("m", attempt: 1, at: start)
        #expect(receipts.compactMap(\.detail).isEmpty)
        policy.markShown("m", attempt: 2, at: start)
        policy.markShown("m", attempt: 2, at: start)
        #expect(receipts.compactMap(\.detail) == [Receipt.shownAgain])

        _ = arrival(try message("n"), composedAt: nil, at: start)
        policy.markShown("n", attempt: 1, at: start)
        let again = try message("n", attempt: 2)
        #expect(added(again) == nil && policy.presenting(again, MessageMoment(now: start)) == .quiet)
        policy.markShown("n", attempt: 2, at: start)
        #expect(receipts.compactMap(\.detail) == [Receipt.shownAgain])
    }

    @Test("the same attempt in the list as of another moment is a second alert, and is said once")
    func doubled() throws {
        _ = arrival(try message("m"), composedAt: nil, at: start)
        policy.markShown("m", at: start)
        policy.markShown("m", delivered: start, at: start)
        policy.markShown("m", delivered: start, at: start + .seconds(5))
        #expect(receipts.compactMap(\.detail).isEmpty)
        policy.markShown("m", delivered: start + .seconds(2), at: start + .seconds(5))
        policy.markShown("m", delivered: start + .seconds(3), at: start + .seconds(6))
        #expect(receipts.compactMap(\.detail) == [Receipt.shownAgain])
    }

    @Test("nothing is claimed twice, nothing of another service's, and nothing against the person's will")
    func claims() throws {
        _ = arrival(try message("m"), composedAt: nil, at: start)
        _ = arrival(try message("theirs", isOurs: false), composedAt: nil, at: start)
        for _ in 0..<2 {
            policy.markShown("m", at: start)
            policy.markShown("theirs", at: start)
            policy.claim(.acted, of: "m", detail: "VIEW", at: start)
        }
        #expect(receipts.map(\.event) == [.shown, .acted])
        #expect(Set(receipts.map(\.id)).count == 2)
        policy.writesReceipts = false
        policy.claim(.opened, of: "m", at: start)
        #expect(receipts.count == 2)
    }

    @Test("a recall is confirmed once, for a message that was never met too")
    func recalled() throws {
        let removal = PushRemoval(Removal(try MessageID("m")))
        policy.recordRemoval(of: [removal], at: start)
        policy.recordRemoval(of: [removal], at: start)
        #expect(receipts.map(\.event) == [.recalled])
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
            policy.markReachedApp(nil, payload: payload),
            policy.markReachedApp(shown: "A", revision: nil, payload: payload),
            policy.markReachedApp(shown: "A", revision: nil, payload: payload),
            policy.markReachedApp(shown: "B", revision: nil, payload: payload),
            policy.markReachedApp(nil, payload: payload), policy.markReachedApp(nil, payload: payload),
        ]
        #expect(reports == [true, false, false, true, false, true])
    }
}
