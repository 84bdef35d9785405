import CarillonApp
import CarillonCore
import CarillonMessaging
import Testing

/// The policy alone, with a list of notifications in the place of iOS's: no phone, no file, no task.
@Suite("What follows from an event")
final class MessageEventTests {
    private let start = Timestamp(secondsSince1970: 1_800_000_000)
    private var policy = MessagePolicy(receiptPrefix: "p")
    private var situation = MessageSituation()
    /// Identifiers of the notifications that are shown.
    private var shown: [String] = []
    /// iOS removes these only later, or never.
    private var sticky: Set<String> = []
    private var refusesAll = false
    private var notices: [MessageNotice] = []
    private var steps: [String] = []
    /// Called before the action with this name is carried out.
    private var beforeTakingOver: (MessageEventTests) -> Void = { _ in }

    private func message(_ id: String, revision: Int = 1) throws -> PushMessage {
        let local = LocalNotification(
            identifier: id, aps: Aps(alert: .text("text"), sound: .default), userInfo: [:])
        return PushMessage(
            identifier: id, messageID: try MessageID(id), presentation: .local(local), revision: revision)
    }

    private func removal(_ id: String) throws -> PushRemoval {
        PushRemoval(identifier: id, messageID: try MessageID(id))
    }

    private func carryOut(_ event: MessageEvent) {
        for action in policy.received(event, in: situation, at: start) {
            switch action {
            case .then(let event): carryOut(event)
            case .remove(let identifiers, let cause):
                steps.append("remove \(identifiers.joined(separator: " "))")
                shown.removeAll { identifiers.contains($0) && !sticky.contains($0) }
                carryOut(.removed(cause, left: sticky.intersection(identifiers)))
            case .add(let notification, let message):
                steps.append("add \(notification.identifier)")
                if refusesAll {
                    carryOut(.notAdded(message, reason: "no"))
                } else {
                    shown.append(notification.identifier)
                    carryOut(.added(message))
                }
            case .look(let message, let purpose):
                steps.append("look for \(message.identifier)")
                carryOut(.looked(message, purpose, found: nil))
            case .readList: steps.append("read the list")
            case .setBadge(let count, _): steps.append("badge \(count)")
            case .save: steps.append("save")
            case .takeOver: beforeTakingOver(self)
            case .tell(let notice): notices.append(notice)
            }
        }
    }

    private var receipts: [String] {
        policy.receipts.pending.map { "\($0.event.rawValue) \($0.message.rawValue)" }
    }

    @Test(
        "of a push the removals come first, what is added is written down before, and at the end the list is looked at")
    func order() throws {
        shown = ["old"]
        carryOut(
            .pushed(
                PushInstructions(
                    dialect: .carillon, message: try message("m"), removals: [try removal("old")], badge: 3)))
        #expect(
            steps == [
                "remove old com.pushwoosh.notification.old", "save", "add m", "look for m", "badge 3", "read the list",
            ])
        #expect(shown == ["m"] && notices.contains(.handOver) && notices.contains(.newData))
        #expect(receipts == ["recalled old", "received m"])
    }

    @Test("what iOS refuses was not shown: it is said, and the next delivery counts as the first")
    func refused() throws {
        refusesAll = true
        carryOut(.pushed(PushInstructions(dialect: .carillon, message: try message("m"))))
        #expect(notices.contains(.failed) && !notices.contains(.handOver) && shown.isEmpty)
        #expect(notices.contains(.report(.notificationFailed(identifier: "m", reason: "no"))))
        refusesAll = false
        steps = []
        carryOut(.pushed(PushInstructions(dialect: .carillon, message: try message("m"))))
        #expect(steps == ["save", "add m", "look for m", "read the list"] && shown == ["m"])
    }

    @Test("what was recalled while it was added goes again")
    func overtaken() throws {
        let removal = try removal("m")
        beforeTakingOver = { tests in _ = tests.policy.remove([removal], at: tests.start) }
        carryOut(.pushed(PushInstructions(dialect: .carillon, message: try message("m"))))
        #expect(shown.isEmpty && steps.contains("remove m"))
    }

    @Test("a recall is confirmed only of what is gone, and what stays is said")
    func stays() throws {
        (shown, sticky) = (["m", "n"], ["m"])
        carryOut(.removalsCame([try removal("m"), try removal("n")], besides: nil))
        #expect(receipts == ["recalled n"] && notices.contains(.failed))
        #expect(
            notices.contains(.report(.notificationFailed(identifier: "m", reason: "it could not be removed"))))
        situation.carriesOutRecalls = false
        steps = []
        carryOut(.removalsCame([try removal("k")], besides: nil))
        #expect(steps.isEmpty)
    }

    @Test("app and extension decide alike: what the extension was shown first is no second alert in the app")
    func alike() throws {
        carryOut(.alerted(try message("m"), PushInstructions(dialect: .carillon)))
        #expect(notices == [.treat(.asItIs)])
        carryOut(.alerted(try message("m"), PushInstructions(dialect: .carillon)))
        #expect(notices.last == .treat(.quiet))
        notices = []
        carryOut(.removalsCame([try removal("m")], besides: nil))
        carryOut(.alerted(try message("m"), PushInstructions(dialect: .carillon)))
        #expect(notices.last == .treat(.withhold(.recalled)))
        steps = []
        carryOut(.pushed(PushInstructions(dialect: .carillon, message: try message("m"))))
        #expect(steps.first == "remove m" && !steps.contains("add m"))
    }

    @Test("one event, one state, one answer")
    func pure() throws {
        let event = MessageEvent.pushed(
            PushInstructions(dialect: .carillon, message: try message("m"), removals: [try removal("old")]))
        var (one, other) = (policy, policy)
        #expect(one.received(event, in: situation, at: start) == other.received(event, in: situation, at: start))
        #expect(one == other)
    }
}
