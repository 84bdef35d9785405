import CarillonCore

@testable import CarillonMessaging

/// The policy with a list of notifications in the place of iOS's, and a text of all that follows from an occurrence.
final class DecisionTrace {
    /// Something that happens to the messages on a phone.
    enum Occurrence {
        case pushed(PushInstructions)
        case alerted(PushMessage?, PushInstructions)
        case presenting(PushMessage)
        case notPresented(String)
        case presented(String)
        case removalsCame([PushRemoval], besides: MessageID?)
        case responded(PushMessage, MessageReaction)
        case readInApp(MessageID, listed: Int)
        case reconciling
        case listMayBeOld
        case launched(PushMessage)
        case reachingApp(PushMessage?, payload: [String: JSONValue])
        case reachingAppShown(String, payload: [String: JSONValue])
        case signedOut
    }

    var policy = MessagePolicy(receiptPrefix: "p")
    var moment = MessageMoment(now: Timestamp(secondsSince1970: 1_800_000_000))
    /// The notifications that are shown, newest first.
    var list: [DeliveredNotification] = []
    /// iOS removes these only later, or never.
    var sticky: Set<String> = []
    var refusesAll = false
    /// The removals that the service extension has learnt of; the policy's next `takeOver` step applies them.
    var recalledMeanwhile: [PushRemoval] = []
    /// The policy's steps and receipts, one line each.
    private(set) var lines: [String] = []

    var text: String { lines.joined(separator: "\n") }

    var now: Timestamp {
        get { moment.now }
        set { moment.now = newValue }
    }

    /// The identifiers of the list, newest first.
    var shown: [String] { list.map(\.identifier) }

    /// Lets something happen, with everything that follows from it.
    ///
    /// - Returns: what was done, with the receipts that were written.
    @discardableResult
    func callAsFunction(_ occurrence: Occurrence) -> String {
        let before = (lines.count, Set(policy.receipts.pending.map(\.id)))
        carryOut(occurrence)
        for receipt in policy.receipts.pending where !before.1.contains(receipt.id) {
            let subject = "receipt \(receipt.event.rawValue) \(receipt.message.rawValue)/\(receipt.revision ?? 1)"
            lines.append([subject, receipt.detail, receipt.reply].compactMap(\.self).joined(separator: " "))
        }
        return lines[before.0...].joined(separator: "\n")
    }

    // MARK: iOS

    private func remove(_ identifiers: [String]) -> RemovalOutcome {
        let found = list.filter { identifiers.contains($0.identifier) }
        lines.append("remove \(identifiers.joined(separator: " "))")
        list.removeAll { identifiers.contains($0.identifier) && !sticky.contains($0.identifier) }
        return RemovalOutcome(found: found, left: sticky.intersection(identifiers))
    }

    /// - Returns: why iOS refuses it.
    private func add(_ notification: LocalNotification) -> String? {
        lines.append("add \(notification.identifier)\(notification.sound == nil ? ", quiet" : "")")
        if refusesAll { return "no" }
        let message = PushMessage(
            identifier: notification.identifier, messageID: try? MessageID(notification.identifier),
            presentation: .local(notification), revision: policy.known[notification.identifier]?.revision ?? 1)
        put(message)
        return nil
    }

    /// Puts a notification at the top of the list.
    func put(_ message: PushMessage) {
        list.removeAll { $0.identifier == message.identifier }
        list.insert(
            DeliveredNotification(
                identifier: message.identifier, userInfo: ["id": .string(message.identifier)], message: message,
                alertedAt: now), at: 0)
    }

    private func find(_ identifier: String) -> DeliveredNotification? {
        lines.append("look for \(identifier)")
        return list.first { $0.identifier == identifier }
    }

    private func readList() -> [DeliveredNotification] {
        lines.append("read the list")
        return list
    }

    private func takeOver() {
        lines.append("take over")
        if !recalledMeanwhile.isEmpty { _ = policy.remove(recalledMeanwhile, at: now) }
        recalledMeanwhile = []
    }

    private func tell(_ notice: MessageNotice) {
        let text =
            switch notice {
            case .newData: "new data"
            case .failed: "failed"
            case .report(let event): "report \(event)"
            case .handOver: "hand over"
            case .handOverAll(let keys):
                "hand over of the list: \(keys.compactMap { policy.handOvers[$0]?.identifier })"
            case .removals(let removals): "gone: \(removals.map { "\($0.identifier) \($0.reason)" })"
            case .nextExpiry(let moment):
                "next expiry: \(moment.map { "\(($0 - now).wholeMilliseconds) ms" } ?? "none")"
            case .treat(let treatment): "treat \(treatment)"
            }
        lines.append("tell \(text)")
    }

    // MARK: The policy

    private func carryOut(_ occurrence: Occurrence) {
        switch occurrence {
        case .pushed(let push): run(policy.pushed(push, moment))
        case .alerted(let message, let push): run(policy.alerted(message, push, moment))
        case .presenting(let message): lines.append("tell present \(policy.presenting(message, moment))")
        case .notPresented(let identifier): run(policy.notPresented(identifier))
        case .presented(let identifier): run(policy.presented(identifier))
        case .removalsCame(let removals, let notice): run(policy.removalsCame(removals, besides: notice, moment))
        case .responded(let message, let reaction):
            let (isForApp, _) = policy.responded(message, reaction, moment)
            lines.append("save")
            handOver(isForApp, saves: false)
        case .readInApp(let id, let listed):
            let (plan, _) = policy.readInApp(id, listed: listed, moment)
            lines.append("save")
            run(plan)
        case .reconciling: run(policy.reconciling())
        case .listMayBeOld: run(policy.listMayBeOld())
        case .launched(let message): handOver(policy.mayReachApp(launchedFor: message, moment), saves: false)
        case .reachingApp(let message, let payload): handOver(policy.markReachedApp(message, payload: payload, moment))
        case .reachingAppShown(let identifier, let payload):
            handOver(policy.markReachedApp(shown: identifier, revision: nil, payload: payload))
        case .signedOut: policy.signOut(at: now)
        }
    }

    private func handOver(_ isForApp: Bool, saves: Bool = true) {
        if isForApp { lines += (saves ? ["save"] : []) + ["tell hand over"] }
    }

    /// Does what ``PlanRunner`` does.
    private func run(_ plan: MessagePlan) {
        for step in plan.steps {
            switch step {
            case .remove(let identifiers, let next): run(next(&policy, remove(identifiers), moment))
            case .add(let notification, let next): run(next(&policy, add(notification), moment))
            case .find(let identifier, let next), .findNew(let identifier, let next):
                run(next(&policy, find(identifier), moment))
            case .readPending(let next): run(next(&policy, [], moment))
            case .readList(let next): run(next(&policy, readList(), moment))
            case .decide(let next): run(next(&policy, (), moment))
            case .setBadge(let count, _): lines.append("badge \(count)")
            case .save: lines.append("save")
            case .takeOver: takeOver()
            case .tell(let notice): tell(notice)
            }
        }
    }
}
