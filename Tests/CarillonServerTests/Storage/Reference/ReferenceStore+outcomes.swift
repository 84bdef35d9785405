import CarillonAPNs
import CarillonCore
import Foundation

@testable import CarillonServer

/// The outcomes of pushes, and the ends of their senders.
extension ReferenceStore {
    mutating func settle(_ settlement: SentPush, _ rules: SendingRules) {
        let shown = addressed.firstIndex { $0.numbers[settlement.purpose] == settlement.number }
        let own = ownPushes.firstIndex { $0.number == settlement.number }
        guard let device = shown.map({ addressed[$0].device }) ?? own.map({ ownPushes[$0].device }) else { return }
        let tries =
            shown.flatMap { addressed[$0].delivery[settlement.purpose]?.tries } ?? own.map { ownPushes[$0].push.tries }
        let known = devices[device]
        // APNs speaks of the token to which it was sent: if the phone has another by now, that is tried next.
        let isPresent =
            known.map {
                $0.record.token == settlement.token && $0.record.environment == settlement.app.environment
            } ?? true
        var verdict = settlement.outcome.verdict(
            tokenRegistered: known?.record.tokenRegistered ?? now, tries: tries ?? 0, rules, at: settlement.at)
        if !isPresent, verdict.isAboutToken { verdict = .retry(mayHaveArrived: false) }
        if let shown {
            receive(.answered(settlement, verdict), at: shown, rules)
        } else if let own {
            settle(own: settlement, verdict, at: own, rules)
        }
        guard let known else { return }
        switch verdict {
        case .accepted: noteAccepted(settlement, known, isPresent: isPresent)
        case .quarantineToken, .retireToken: apply(verdict, settlement, to: known.record)
        case .giveUp, .retry, .stopApp, .putBack, .cancel: break
        }
    }

    private mutating func settle(
        own settlement: SentPush, _ verdict: SendVerdict, at index: Int, _ rules: SendingRules
    ) {
        let own = ownPushes[index]
        let subjects =
            own.message.map { [($0, settlement.revision, Removal.Reason?.none)] }
            ?? removals(of: own.device) { known, _ in
                own.purpose == .removal && settlement.removals.contains(message(known.message).new.id)
            }
        for (message, revision, reason) in subjects {
            for var note in settlement.notes(verdict, rules) {
                note.revision = revision
                note.detail = note.detail ?? reason?.why
                let id = self.message(message).new.id
                record(TimelineEvent(note, message: id, device: own.device), about: message)
            }
        }
        guard own.push.isHeld(under: settlement.lease) else { return }
        ownPushes[index].push.settle(settlement, verdict, rules)
        if ownPushes[index].push.state != .queued { ownPushes.remove(at: index) }
    }

    /// A device's newest removals, as many as a push carries.
    private func removals(
        of device: String, first carried: Set<Int64> = [], where isMeant: (ReferenceDelivery, RemovalRequest) -> Bool
    ) -> [(message: Int64, revision: Int, reason: Removal.Reason?)] {
        addressed.compactMap { known in
            known.delivery.removal.flatMap { known.device == device && isMeant(known, $0) ? (known, $0) : nil }
        }
        .sorted {
            let (isFirst, isSecond) = (carried.contains($0.0.message), carried.contains($1.0.message))
            if isFirst != isSecond { return isFirst }
            return ($1.1.requested, message($0.0.message).new.id.rawValue)
                < ($0.1.requested, message($1.0.message).new.id.rawValue)
        }
        .prefix(DeliveryLimits.removalsPerPush).map { ($0.0.message, $0.1.revision, $0.1.reason) }
    }

    private mutating func noteAccepted(_ settlement: SentPush, _ device: ReferenceDevice, isPresent: Bool) {
        let id = device.record.id
        if isPresent, let handed = settlement.handed, device.record.tokenRegistered <= handed { confirm(id) }
        switch settlement.badge {
        case .none: break
        case .unread(let count): devices[id]?.badge = count
        case .sender: devices[id]?.badge = nil
        }
        if settlement.purpose == .fallback || settlement.purpose == .notice { devices[id]?.silentUnanswered += 1 }
    }

    private mutating func confirm(_ id: String) {
        guard let known = devices[id], known.record.confirmed == nil, known.record.token != nil else { return }
        devices[id]?.record.confirmed = now
        guard known.record.ordinal == nil else { return }
        let ordinal = nextOrdinal[known.record.app.number] ?? 1
        devices[id]?.record.ordinal = ordinal
        nextOrdinal[known.record.app.number] = ordinal + 1
    }

    private mutating func apply(_ verdict: SendVerdict, _ settlement: SentPush, to device: DeviceRecord) {
        guard let reason = settlement.rejection?.reason else { return }
        let why = "the device's token is no longer valid (\(reason))"
        if case .retireToken(let moment) = verdict {
            guard device.tokenRegistered <= moment else { return }
            devices[device.id]?.record.state = .unregistered
            cancelWaiting(on: device.id, why: why)
        } else if device.confirmed == nil {
            _ = delete(device.id, why: "APNs does not know the device's token (\(reason))")
        } else {
            devices[device.id]?.record.state = .quarantined
            cancelWaiting(on: device.id, why: why)
        }
    }

    // MARK: A sender that is gone

    /// - Returns: how many leases were ended.
    mutating func release(_ sender: SenderNumber) -> Int {
        let held: [(number: Int64, index: Int, purpose: PushPurpose)] = addressed.indices.flatMap { index in
            addressed[index].numbers.filter { addressed[index].delivery[$0.key]?.sender == sender }
                .map { ($0.value, index, $0.key) }
        }
        let own = ownPushes.filter { $0.push.sender == sender }
        let numbers = (held.map(\.number) + own.map(\.number)).sorted()
        for number in numbers {
            if let push = held.first(where: { $0.number == number }) {
                receive(.lapsed(push.purpose), at: push.index)
            } else if let index = ownPushes.firstIndex(where: { $0.number == number }) {
                let known = ownPushes[index]
                ownPushes[index].push.endLease()
                if let note = DeliveryNote.abandoned(known.push, known.purpose, at: now) {
                    record(abandoned: note, known)
                }
            }
        }
        return numbers.count
    }

    private mutating func record(abandoned note: DeliveryNote, _ own: ReferencePush) {
        if let message = own.message {
            return record(
                TimelineEvent(note, message: self.message(message).new.id, device: own.device), about: message)
        }
        guard own.purpose == .removal else { return }
        let push = PushIdentifier.uuid(message: "", device: own.device, purpose: own.purpose, revision: note.revision)
        let subjects = removals(of: own.device, first: own.carried) { known, removal in
            own.carried.contains(known.message) || removal.confirmed.map { $0 >= own.push.due } ?? true
        }
        for (message, revision, _) in subjects {
            var note = note
            note.revision = revision
            record(
                TimelineEvent(
                    note, message: self.message(message).new.id, device: own.device, apnsID: push.lowercased),
                about: message)
        }
    }
}

extension SendVerdict {
    /// Whether it says that the token is not valid.
    fileprivate var isAboutToken: Bool {
        switch self {
        case .retireToken, .quarantineToken: true
        default: false
        }
    }
}
