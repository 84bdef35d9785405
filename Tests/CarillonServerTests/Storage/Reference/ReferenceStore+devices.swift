import CarillonAPNs
import CarillonCore
import Foundation

@testable import CarillonServer

/// Installations, whose they are, and what they report.
extension ReferenceStore {
    /// Each installation has a token that no other claims.
    mutating func register(_ new: NewDevice) -> DeviceRecord? {
        if let user = new.user, let old = devices[new.id]?.record.user, !UserID.isEqual(old, user) {
            signOut(new.id, by: .service)
        }
        let fresh = DeviceRecord(
            id: new.id, secretHash: new.secretHash, app: new.app, environment: new.environment, token: nil,
            tokenRegistered: now, state: .awaitingToken, user: nil, facts: new.facts, seen: now)
        var device = devices[new.id] ?? ReferenceDevice(number: nextNumber(), record: fresh)
        if let user = new.user, user != device.record.user { device.bound = decisions }
        device.record.user = new.user ?? device.record.user
        (device.record.facts, device.record.seen) = (new.facts, now)
        let isSame = device.record.token == new.token && device.record.environment == new.environment
        let isKnownToAPNs = isSame && device.record.confirmed != nil
        if !isSame { device.record.confirmed = nil }
        (device.record.token, device.record.environment) = (new.token, new.environment)
        (device.record.tokenRegistered, device.record.state) = (now, .active)
        devices[new.id] = device
        if !isKnownToAPNs, !isWaiting(.tokenCheck, new.id) {
            queueOwnPush(.tokenCheck, to: new.id, due: nextCheck(new))
        }
        return devices[new.id]?.record
    }

    /// Unknown tokens are tried one after the other.
    private mutating func nextCheck(_ new: NewDevice) -> Timestamp {
        let next = nextCheck[new.app.number] ?? now
        // A turn that is too far away was given before the clock was set back.
        let due = (now...now + StoreLimits.longestTokenCheckQueue).contains(next) ? next : now
        nextCheck[new.app.number] = due + StoreLimits.tokenCheckInterval
        return due
    }

    mutating func delete(_ device: String, why: String = "the installation was deleted") -> Bool {
        guard devices[device] != nil else { return false }
        cancelWaiting(on: device, why: why)
        ownPushes.removeAll { $0.device == device && $0.message == nil }
        for index in addressed.indices where addressed[index].device == device {
            addressed[index].delivery.removal = nil
        }
        deleted[device] = devices[device]?.record
        devices[device] = nil
        return true
    }

    mutating func cancelWaiting(on device: String, why: String) {
        ownPushes.removeAll { $0.device == device && $0.push.isWaiting }
        for index in addressed.indices where addressed[index].device == device {
            let delivery = addressed[index].delivery
            let waiting = [delivery.show, delivery.fallback, delivery.notice].contains { $0?.isWaiting == true }
            if waiting { receive(.cancelled(why), at: index) }
        }
    }

    mutating func signOut(_ id: String, by caller: SignOutCaller) {
        guard let user = devices[id]?.record.user else { return }
        devices[id]?.record.user = nil
        devices[id]?.badge = nil
        for index in addressed.indices.reversed() {
            let known = addressed[index]
            guard known.device == id, UserID.isEqual(user, known.owner),
                [.queued, .accepted, .unanswered].contains(known.delivery.show.state),
                !message(known.message).new.audience.isBroadcast,
                known.delivery.answers.isDisjoint(with: caller.settled)
            else { continue }
            receive(.withdrawn(.signOut), at: index)
        }
    }

    // MARK: What phones say

    mutating func record(_ receipts: [Receipt], from device: String) -> [Receipt] {
        let recorded = receipts.filter { accept($0, from: device) }
        if !recorded.isEmpty, let known = devices[device], known.badge != nil, let user = known.record.user {
            let unread = unreadCount(of: UserReference(user, of: known.record.app.number))
            devices[device]?.badge = unread
        }
        return recorded
    }

    private mutating func accept(_ receipt: Receipt, from device: String) -> Bool {
        guard let known = devices[device],
            let number = number(of: MessageReference(receipt.message, of: known.record.app.number)),
            let index = index(of: number, on: device)
        else { return false }
        let message = message(number)
        // What is one bit has no id.
        let isBit = message.isRanged && receipt.detail == nil && (receipt.reply == nil || !message.new.keepsReplies)
        if isBit {
            let delivery = addressed[index].delivery
            guard !delivery.answers.contains(ReceiptSet(receipt.event)),
                receipt.revision ?? 1 >= delivery.show.revision
            else { return false }
        } else if events.contains(where: { $0.event.device == device && $0.receipt == receipt.id }) {
            return false
        }
        let revision = receipt.revision ?? 1
        record(
            TimelineEvent(
                message: receipt.message, device: device, event: TimelineEventKind(receipt.event),
                at: min(max(receipt.at, message.accepted), now), revision: revision, detail: receipt.detail,
                reply: message.new.keepsReplies ? receipt.reply : nil),
            about: number, receipt: isBit ? "bit \(events.count)" : receipt.id)
        devices[device]?.silentUnanswered = 0
        let isCurrent = revision >= addressed[index].delivery.show.revision
        receive(.reported(receipt.event, revision: revision), at: index)
        let owner = addressed[index].owner
        if receipt.event == .opened, isCurrent, let user = known.record.user,
            message.isRanged || owner == nil || UserID.isEqual(user, owner)
        {
            read(number, user: UserReference(user, of: known.record.app.number), on: device)
        }
        return true
    }
}
