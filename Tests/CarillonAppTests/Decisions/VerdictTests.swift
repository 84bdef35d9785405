import CarillonCore
import Testing

@testable import CarillonMessaging

/// The table of doors by verdicts: what becomes of a message, by the way on which it reaches the SDK and by the verdict on it.
///
/// Each line follows from a promise.
///
/// - A former user's message is neither shown nor told.
/// - A recalled or expired message is not shown, leaves the list and is not told.
/// - A message that was read leaves the list, but a tap opens it.
/// - A second delivery alerts nobody. An older version neither alerts nor comes to the app by itself.
/// - A notice is no message.
@Suite("Doors by verdicts") struct VerdictTests {
    /// The ways on which a message reaches the SDK.
    enum Door: String, CaseIterable { case push, alert, foreground, tap, launch, list, handOver, attachment }

    enum Case: String, CaseIterable {
        case formerUser, notice, recalled, read, expired, stale, shownBefore, perhapsShown, new
    }

    private static let table: [Case: [Door: String]] = [
        .formerUser: row(
            push: "gone", alert: "withhold", foreground: "nothing", tap: "untold", launch: "untold", list: "leaves",
            handOver: "dropped", attachment: "not fetched"),
        .notice: row(
            push: "ignored", alert: "notice", foreground: "nothing", tap: "untold", launch: "untold", list: "leaves",
            handOver: "dropped", attachment: "not fetched"),
        .recalled: row(
            push: "gone, recalled", alert: "withhold", foreground: "nothing, recalled", tap: "untold, recalled",
            launch: "untold", list: "leaves, recalled", handOver: "dropped", attachment: "not fetched"),
        .read: row(
            push: "gone", alert: "withhold", foreground: "nothing", tap: "told, opened", launch: "told",
            list: "leaves", handOver: "waits", attachment: "not fetched"),
        .expired: row(
            push: "gone, expired arrived-late", alert: "withhold, expired blanked",
            foreground: "nothing, expired arrived-late", tap: "untold, expired removed-from-screen", launch: "untold",
            list: "leaves, expired removed-from-screen", handOver: "dropped", attachment: "not fetched"),
        .stale: row(
            push: "ignored", alert: "quiet", foreground: "quiet", tap: "told", launch: "told", list: "stays",
            handOver: "waits", attachment: "not fetched"),
        .shownBefore: row(
            push: "ignored", alert: "quiet", foreground: "quiet", tap: "told, opened", launch: "told", list: "stays",
            handOver: "waits", attachment: "not fetched"),
        .perhapsShown: row(
            push: "added quietly, told", alert: "quiet", foreground: "full", tap: "told, opened", launch: "told",
            list: "stays, told", handOver: "waits", attachment: "not fetched"),
        .new: row(
            push: "added, told", alert: "asItIs", foreground: "full", tap: "told, opened", launch: "told",
            list: "stays, told", handOver: "waits", attachment: "fetched"),
    ]

    private static func row(
        push: String, alert: String, foreground: String, tap: String, launch: String, list: String, handOver: String,
        attachment: String
    ) -> [Door: String] {
        [
            .push: push, .alert: alert, .foreground: foreground, .tap: tap, .launch: launch, .list: list,
            .handOver: handOver, .attachment: attachment,
        ]
    }

    @Test(
        "each door does with each verdict what the table says", arguments: Case.allCases, Door.allCases)
    func cell(_ state: Case, _ door: Door) throws {
        let subject = try Subject(state)
        #expect(subject.outcome(at: door) == Self.table[state]?[door])
    }

    @Test("the verdict is the one that the case is named for", arguments: Case.allCases)
    func verdict(_ state: Case) throws {
        let subject = try Subject(state)
        let expected: MessageVerdict =
            switch state {
            case .formerUser: .formerUser
            case .notice: .notice
            case .recalled: .recalled(.recall)
            case .read: .read
            case .expired: .expired
            case .stale: .stale
            case .shownBefore: .repeated(wasShown: true)
            case .perhapsShown: .repeated(wasShown: false)
            case .new: .new
            }
        #expect(subject.trace.policy.verdict(on: subject.message, subject.trace.moment) == expected)
    }

    @Test("a message read elsewhere counts as read, and every other removal as a recall") func reasons() throws {
        for reason in [Removal.Reason.recall, .replaced, .expired, .signOut, .read] {
            let subject = try Subject(.new)
            let removal = PushRemoval(identifier: "m", messageID: try MessageID("m"), reason: reason)
            subject.trace(.removalsCame([removal], besides: nil))
            let verdict = subject.trace.policy.verdict(on: subject.message, subject.trace.moment)
            #expect(verdict == (reason == .read ? .read : .recalled(reason)))
        }
    }

    @Test(
        "while a sign-out is not confirmed, every message counts as the former user's, also a notice")
    func pending() throws {
        for state in Case.allCases {
            let subject = try Subject(state)
            subject.trace.moment.signedOut = true
            let verdict = subject.trace.policy.verdict(on: subject.message, subject.trace.moment)
            #expect(verdict == .formerUser, "\(state)")
        }
    }

    @Test("an app that carries out no recalls leaves notices and recalled messages in the list, and removes the others")
    func withoutRecalls() throws {
        let leaving = try Case.allCases.filter { state in
            let subject = try Subject(state)
            subject.trace.moment.carriesOutRecalls = false
            return subject.outcome(at: .list).hasPrefix("leaves")
        }
        #expect(leaving == [.formerUser, .expired])
    }

    /// A message about which there is a given verdict, and the policy that gives it.
    private final class Subject {
        let trace = DecisionTrace()
        private(set) var message: PushMessage

        init(_ state: Case) throws {
            let id = try MessageID("m")
            let key = CarillonKey(id: id, now: trace.now, isNotice: state == .notice)
            let local = LocalNotification(
                identifier: "m", aps: Aps(alert: .text("text"), sound: .default), userInfo: ["carillon": key.json])
            message = PushMessage(identifier: "m", messageID: id, presentation: .local(local), composedAt: trace.now)
            trace.now = trace.now + .seconds(5)
            switch state {
            case .formerUser: trace(.signedOut)
            case .notice: message.isNotice = true
            case .recalled: _ = trace.policy.remove([PushRemoval(identifier: "m", messageID: id)], at: trace.now)
            case .read: trace(.readInApp(id, listed: 1))
            case .expired: message.until = trace.now - .seconds(1)
            case .stale: know(revision: 2)
            case .shownBefore:
                know(revision: 1)
                trace.policy.markShown("m", at: trace.now)
                _ = trace.policy.markReachedApp(shown: "m", revision: nil, payload: [:])
            case .perhapsShown:
                know(revision: 1)
                trace.policy.known.handedToSystem("m")
            case .new: break
            }
            trace.now = trace.now + .seconds(5)
        }

        private func know(revision: Int) {
            trace.policy.record(
                PushMessage(identifier: "m", messageID: message.messageID, presentation: .nothing, revision: revision),
                at: trace.now)
        }

        private var visible: PushMessage {
            var visible = message
            visible.presentation = .bySystem
            return visible
        }

        func outcome(at door: Door) -> String {
            switch door {
            case .push: push()
            case .alert: word(trace(.alerted(visible, PushInstructions(dialect: .carillon))), after: "tell treat ")
            case .foreground: word(trace(.presenting(visible)), after: "tell present ")
            case .tap: told(trace(.responded(visible, MessageReaction(.open, isReading: true))))
            case .launch: told(trace(.launched(visible)))
            case .list: list()
            case .handOver: handOver()
            case .attachment: trace.policy.wouldShow(message, trace.moment) ? "fetched" : "not fetched"
            }
        }

        private func push() -> String {
            let text = trace(.pushed(PushInstructions(dialect: .carillon, message: message)))
            let lines = text.split(separator: "\n")
            var outcome = "ignored"
            if lines.contains("remove m") { outcome = "gone" }
            if lines.contains("add m") { outcome = "added" }
            if lines.contains("add m, quiet") { outcome = "added quietly" }
            return outcome + (lines.contains("tell hand over") ? ", told" : "") + receipts(text)
        }

        private func list() -> String {
            trace.put(visible)
            let text = trace(.reconciling)
            let isTold = text.contains("tell hand over of the list: [\"m\"]")
            return (trace.shown.isEmpty ? "leaves" : "stays") + (isTold ? ", told" : "") + receipts(text)
        }

        private func handOver() -> String {
            var key = CarillonKey(id: message.messageID, now: message.composedAt, until: message.until)
            key.isNotice = message.isNotice
            let item = HandOvers.Item(identifier: "m", messageID: message.messageID, userInfo: ["carillon": key.json])
            _ = trace.policy.handOvers.add(item, at: trace.now)
            return trace.policy.waiting(trace.moment).isEmpty ? "dropped" : "waits"
        }

        private func word(_ text: String, after start: String) -> String {
            let line = text.split(separator: "\n").first { $0.hasPrefix(start) }
            return (line.map { String($0.dropFirst(start.count)) } ?? "none") + receipts(text)
        }

        private func told(_ text: String) -> String {
            (text.contains("tell hand over") ? "told" : "untold") + receipts(text)
        }

        /// The receipts of a trace, without those that say that the message arrived or is in the list.
        private func receipts(_ text: String) -> String {
            text.split(separator: "\n").compactMap { line in
                let words = line.split(separator: " ")
                guard words.first == "receipt", !["received", "shown"].contains(words[1]) else { return nil }
                return ", " + ([words[1]] + words.dropFirst(3)).joined(separator: " ")
            }.joined()
        }
    }
}
