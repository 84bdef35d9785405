import CarillonCore

@testable import CarillonMessaging

/// The policy with a list of notifications in the place of iOS's, and a text of all that follows from an occurrence.
final class DecisionTrace {
    /// Something that happens to the messages on a phone.
    enum Occurrence {
        case pushed(PushInstructions)
        case alerted(PushMessage?, PushInstructions)
        case presenting(PushMessage, composedAt: Timestamp?)
        case notPresented(String)
        case presented(String, attempt: Int)
        case removalsCame([PushRemoval], besides: MessageID?)
        case responded(PushMessage, MessageReaction)
        case readInApp(PushMessage, identifiers: [String])
        case reconciling
        case listMayBeOld
        case launched(PushMessage)
        case reachingApp(PushMessage?, payload: [String: JSONValue])
        case reachingAppShown(String, payload: [String: JSONValue])
        case signedOut
    }

    var policy = MessagePolicy(receiptPrefix: "p")
    var situation = MessageSituation()
    var now = Timestamp(secondsSince1970: 1_800_000_000)
    /// The notifications that are shown, newest first.
    var list: [DeliveredNotification] = []
    /// iOS removes these only later, or never.
    var sticky: Set<String> = []
    var refusesAll = false
    /// What the service extension has learnt, which is joined at the next occasion.
    var recalledMeanwhile: [PushRemoval] = []
    /// What was asked of iOS and what was told, one line each.
    private(set) var lines: [String] = []

    var text: String { lines.joined(separator: "\n") }

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

    private func remove(_ identifiers: [String]) -> Set<String> {
        lines.append("remove \(identifiers.joined(separator: " "))")
        list.removeAll { identifiers.contains($0.identifier) && !sticky.contains($0.identifier) }
        return sticky.intersection(identifiers)
    }

    /// - Returns: why iOS refuses it.
    private func add(_ notification: LocalNotification) -> String? {
        lines.append("add \(notification.identifier)\(notification.sound == nil ? ", quiet" : "")")
        if refusesAll { return "no" }
        let message = PushMessage(
            identifier: notification.identifier, messageID: try? MessageID(notification.identifier),
            presentation: .local(notification))
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
            case .handOverAll(let notifications): "hand over of the list: \(notifications.map(\.identifier))"
            case .removals(let removals): "gone: \(removals.map { "\($0.identifier) \($0.reason)" })"
            case .old(let recalled, let reasons, let expired):
                "old: \(recalled.map(\.identifier)) \(reasons.map { $0?.rawValue ?? "-" }), expired: \(expired)"
            case .nextExpiry(let moment):
                "next expiry: \(moment.map { "\(($0 - now).wholeMilliseconds) ms" } ?? "none")"
            case .present(let presentation): "present \(presentation)"
            case .treat(let treatment): "treat \(treatment)"
            case .isNotice: "is a notice"
            }
        lines.append("tell \(text)")
    }

    // MARK: The policy

    private func carryOut(_ occurrence: Occurrence) {
        switch occurrence {
        case .pushed(let push): receive(.pushed(push))
        case .alerted(let message, let push): receive(.alerted(message, push))
        case .presenting(let message, let moment): receive(.presenting(message, composedAt: moment))
        case .notPresented(let identifier): receive(.notPresented(identifier: identifier))
        case .presented(let identifier, let attempt):
            receive(.presented(identifier: identifier, attempt: attempt))
        case .removalsCame(let removals, let notice): receive(.removalsCame(removals, besides: notice))
        case .responded(let message, let reaction): receive(.responded(message, reaction))
        case .readInApp(let message, let identifiers): receive(.readInApp(message, identifiers: identifiers))
        case .reconciling: receive(MessageEvent.reconciling)
        case .listMayBeOld: receive(MessageEvent.listMayBeOld)
        case .launched(let message): receive(.launched(message))
        case .reachingApp(let message, let payload): receive(.reachingApp(message, payload: payload))
        case .reachingAppShown(let identifier, let payload):
            receive(.reachingAppShown(identifier: identifier, payload: payload))
        case .signedOut: receive(MessageEvent.signedOut)
        }
    }

    private func receive(_ event: MessageEvent) {
        for action in policy.received(event, in: situation, at: now) {
            switch action {
            case .then(let event): receive(event)
            case .remove(let identifiers, let cause): receive(.removed(cause, left: remove(identifiers)))
            case .add(let notification, let message):
                if let reason = add(notification) {
                    receive(.notAdded(message, reason: reason))
                } else {
                    receive(.added(message))
                }
            case .look(let message, let purpose):
                receive(.looked(message, purpose, found: find(message.identifier)))
            case .readList(let purpose): receive(.listed(readList(), purpose))
            case .setBadge(let count, _): lines.append("badge \(count)")
            case .save: lines.append("save")
            case .takeOver: takeOver()
            case .tell(let notice): tell(notice)
            }
        }
    }
}
