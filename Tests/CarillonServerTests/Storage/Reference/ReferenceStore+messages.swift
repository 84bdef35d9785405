import CarillonAPNs
import CarillonCore
import Foundation

@testable import CarillonServer

/// Accepting, recalling, reading, ending.
extension ReferenceStore {
    // MARK: Accepting

    mutating func accept(_ new: NewMessage) -> Acceptance {
        if let key = new.idempotencyKey, let known = requests[key] {
            guard known.fingerprint == new.fingerprint, known.app == new.app.number else {
                return .refused(.idempotencyKeyReused)
            }
            let number = number(of: MessageReference(known.message, of: known.app))
            let isRanged = number.map { message($0).isRanged } ?? false
            return .repeated(
                SendAnswer(
                    id: known.message, state: .accepted, devices: isRanged ? nil : known.devices,
                    reason: isRanged || known.devices > 0 ? nil : number.flatMap { message($0).nobody }))
        }
        let existing = number(of: MessageReference(new.id, of: new.app.number)).map(message)
        if let existing, existing.new.fingerprint == new.fingerprint {
            guard existing.recalled == nil else { return .refused(.recalled) }
            guard !existing.isCancelled else { return .refused(.cancelled) }
            return .repeated(
                SendAnswer(
                    id: new.id, state: .accepted, devices: existing.isRanged ? nil : existing.devices,
                    reason: existing.isRanged ? nil : existing.nobody))
        }
        if let existing, !new.replacesOtherAudience, existing.new.audience.fingerprint != new.audience.fingerprint {
            return .refused(.otherAudience)
        }
        let number = keep(new, insteadOf: existing)
        if let key = new.idempotencyKey {
            requests[key] = ReferenceRequest(
                fingerprint: new.fingerprint, app: new.app.number, message: new.id, devices: message(number).devices)
        }
        if message(number).isRanged {
            decisions += 1
            messages[Int(number) - 1].decided = decisions
        }
        // The order of names does not matter, and their bytes do: two spellings of one name are two users.
        let hasOtherAudience = existing.map { $0.new.audience.fingerprint != new.audience.fingerprint } ?? false
        address(number, hasOtherAudience: hasOtherAudience)
        let (isRanged, devices) = (message(number).isRanged, message(number).devices)
        return .accepted(
            SendAnswer(
                id: new.id, state: .accepted, devices: isRanged ? nil : devices,
                reason: isRanged ? nil : message(number).nobody))
    }

    private mutating func keep(_ new: NewMessage, insteadOf existing: ReferenceMessage?) -> Int64 {
        let number = existing?.number ?? Int64(messages.count) + 1
        var kept = ReferenceMessage(
            number: number, new: new, revision: (existing?.revision ?? 0) + 1,
            devices: 0, accepted: now, expires: new.removesExpired || new.countsAsUnread ? new.until : nil)
        let confirmed = devices.values.count { $0.record.app == new.app && $0.record.ordinal != nil }
        kept.isRanged = existing?.isRanged ?? (new.audience.isBroadcast && confirmed > rangeDevices ?? .max)
        kept.devices = devices.values.count { $0.isReachable && isMeant($0, by: kept) }
        kept.nobody = kept.devices == 0 ? reasonForNobody(kept) : nil
        if existing == nil { messages.append(kept) } else { messages[Int(number) - 1] = kept }
        return number
    }

    private func reasonForNobody(_ message: ReferenceMessage) -> NobodyReason? {
        if message.new.audience.isBroadcast { return .nobodyMatches }
        if message.isRanged { return nil }
        if devices.values.contains(where: { isMeant($0, by: message) }) { return .tokenGone }
        return if case .users = message.new.audience { .notSignedIn } else { .noSuchDevice }
    }

    /// Whether a message is for a device, whether or not that can be reached.
    private func isMeant(_ device: ReferenceDevice, by message: ReferenceMessage) -> Bool {
        guard device.record.app == message.new.app else { return false }
        // Ranges are of those who have an ordinal.
        if message.isRanged, device.record.ordinal == nil { return false }
        return switch message.new.audience {
        case .users(let users): users.contains { UserID.isEqual($0, device.record.user) }
        case .devices(let ids): ids.contains(device.record.id)
        case .everyone: device.record.confirmed != nil
        // The only condition that is drawn.
        case .matching: device.record.confirmed != nil && device.record.environment == .sandbox
        // No random call sends a message again.
        case .unseen: false
        }
    }

    private mutating func address(_ number: Int64, hasOtherAudience: Bool) {
        let message = message(number)
        for index in indices(of: number) {
            if let device = devices[addressed[index].device], isMeant(device, by: message) { continue }
            receive(.withdrawn(.replaced), at: index)
        }
        for recipient in recipients(of: message) { address(message, recipient) }
        if case .users(let users) = message.new.audience, message.new.countsAsUnread, !message.isRanged {
            for user in users { fillInbox(UserReference(user, of: message.new.app.number), message) }
        }
        if message.isRanged {
            // What is found in bits is of this revision.
            return inbox.removeAll { $0.message == number && $0.revision < message.revision }
        }
        guard message.revision > 1, hasOtherAudience || !message.new.countsAsUnread else { return }
        let old = inbox.filter { $0.message == number && $0.revision < message.revision }
        for entry in old.sorted(by: { $0.user.id < $1.user.id }) {
            inbox.removeAll { $0.message == number && $0.user == entry.user }
            if hasOtherAudience { queueBadge(for: entry.user, except: nil) }
        }
    }

    private func recipients(of message: ReferenceMessage) -> [ReferenceDevice] {
        let meant = devices.values.filter { $0.isReachable && isMeant($0, by: message) }
        return switch message.new.audience {
        case .devices(let ids): ids.compactMap { id in meant.first { $0.record.id == id } }
        case .users(let users):
            users.flatMap { user in
                meant.filter { UserID.isEqual(user, $0.record.user) }.sorted { $0.record.id < $1.record.id }
            }
        case .everyone, .matching, .unseen: meant.sorted { ($0.record.ordinal ?? 0) < ($1.record.ordinal ?? 0) }
        }
    }

    private mutating func address(_ message: ReferenceMessage, _ device: ReferenceDevice) {
        let user = device.record.user
        if let index = index(of: message.number, on: device.record.id) {
            if addressed[index].delivery.show.revision < message.revision {
                addressed[index].owner = user
                receive(
                    .accepted(revision: message.revision, user: message.new.audience.isBroadcast ? nil : user),
                    at: index)
            }
        } else {
            let push = Push(revision: message.revision, queued: now, due: now)
            addressed.append(
                ReferenceDelivery(
                    message: message.number, device: device.record.id, owner: user,
                    lane: DeliveryLane(devices: message.devices),
                    delivery: Delivery(mode: message.new.mode, user: user, show: push),
                    numbers: [.show: nextNumber()]))
            let note = DeliveryNote(.queued, at: now, purpose: .show, revision: message.revision)
            record(
                TimelineEvent(note, message: message.new.id, device: device.record.id), about: message.number)
        }
        if case .users = message.new.audience, !message.isRanged { return }
        if message.new.countsAsUnread, let user {
            fillInbox(UserReference(user, of: message.new.app.number), message)
        }
    }

    private mutating func fillInbox(_ user: UserReference, _ message: ReferenceMessage) {
        let known = inbox.firstIndex { $0.user == user && $0.message == message.number }
        if let known, inbox[known].revision >= message.revision { return }
        let entry = ReferenceEntry(
            user: user, message: message.number, revision: message.revision, until: message.new.until)
        if let known { inbox[known] = entry } else { inbox.append(entry) }
    }

    // MARK: Taking back

    mutating func recall(_ reference: MessageReference, _ notice: RecallNotice?, _ rules: SendingRules) -> Bool {
        guard let number = number(of: reference) else { return false }
        let known = message(number)
        let given = known.notice == nil ? notice : nil
        guard known.recalled == nil || given != nil else { return true }
        messages[Int(number) - 1].recalled = known.recalled ?? now
        messages[Int(number) - 1].notice = known.notice ?? given
        messages[Int(number) - 1].isPaused = false
        for index in indices(of: number) { receive(.withdrawn(.recall), at: index, rules) }
        leaveInboxes(number)
        return true
    }

    // MARK: Pauses and cancellations

    /// Whether a push is left that shows the message, also one that is in flight.
    func hasSomethingLeft(_ number: Int64) -> Bool {
        addressed.contains { known in
            known.message == number
                && (known.delivery.show.state == .queued || known.delivery.fallback?.state == .queued)
        }
    }

    mutating func steer(_ reference: MessageReference, _ change: SendingChange) -> Bool {
        guard let number = number(of: reference) else { return false }
        let known = message(number)
        guard known.recalled == nil, !known.isCancelled else { return true }
        switch change {
        case .pause where !known.isPaused && hasSomethingLeft(number):
            messages[Int(number) - 1].isPaused = true
            for index in indices(of: number) {
                for purpose in [PushPurpose.show, .fallback] where addressed[index].delivery[purpose]?.isWaiting == true
                {
                    addressed[index].held.insert(purpose)
                }
            }
        case .resume where known.isPaused:
            messages[Int(number) - 1].isPaused = false
            for index in indices(of: number) { addressed[index].held = [] }
        case .cancel where hasSomethingLeft(number):
            (messages[Int(number) - 1].isPaused, messages[Int(number) - 1].isCancelled) = (false, true)
            for index in indices(of: number) { receive(.cancelled(SendingChange.cancellation), at: index) }
            leaveUnreachedInboxes(number)
        case .pause, .resume, .cancel: break
        }
        return true
    }

    /// A cancelled message is gone for those whom it cannot have reached.
    private mutating func leaveUnreachedInboxes(_ message: Int64) {
        let entries = inbox.indices.filter { inbox[$0].message == message && !inbox[$0].isGone }
        for index in entries.sorted(by: { inbox[$0].user.id < inbox[$1].user.id }) {
            let user = inbox[index].user
            let hasReached = devices(of: user).contains { device in
                self.index(of: message, on: device.record.id).map {
                    addressed[$0].owner == user.id && addressed[$0].delivery.show.reach > .none
                } ?? false
            }
            if hasReached { continue }
            inbox[index].isGone = true
            queueBadge(for: user, except: nil)
        }
    }

    /// Ends the messages whose time has passed and that have a removal or an unread number.
    mutating func endWhatHasExpired() {
        let ended = messages.filter { $0.expires.map { $0 <= now } ?? false }
        for message in ended.sorted(by: { ($0.expires ?? now, $0.number) < ($1.expires ?? now, $1.number) }) {
            messages[Int(message.number) - 1].expires = nil
            if message.new.removesExpired {
                for index in indices(of: message.number) { receive(.ended, at: index) }
            }
            leaveInboxes(message.number, queuesBadges: message.new.removesExpired)
        }
    }

    private mutating func leaveInboxes(_ message: Int64, queuesBadges: Bool = true) {
        let entries = inbox.indices.filter {
            inbox[$0].message == message && !inbox[$0].isGone && isVisible(inbox[$0])
        }
        defer { for index in inbox.indices where inbox[index].message == message { inbox[index].isGone = true } }
        for index in entries.sorted(by: { inbox[$0].user.id < inbox[$1].user.id }) {
            inbox[index].isGone = true
            if queuesBadges, inbox[index].read == nil { queueBadge(for: inbox[index].user, except: nil) }
        }
    }

    /// Its deliveries, in the order of the devices' ids.
    private func indices(of message: Int64) -> [Int] {
        addressed.indices.filter { addressed[$0].message == message }
            .sorted { addressed[$0].device < addressed[$1].device }
    }

    // MARK: Reading

    mutating func markRead(_ selection: ReadSelection, user: UserReference, on device: String?) -> (Int, Int) {
        let unread = unread(selection, of: user)
        // The badges are looked at once, when all are marked: where a removal goes, no push for the badge alone does.
        var wasUnread = false
        for number in unread where mark(number, user: user, on: device) { wasUnread = true }
        if wasUnread { queueBadge(for: user, except: device) }
        return (unread.count, unreadCount(of: user))
    }

    private func unread(_ selection: ReadSelection, of user: UserReference) -> [Int64] {
        switch selection {
        case .messages(let ids):
            ids.compactMap { number(of: MessageReference($0, of: user.app)) }.filter { number in
                if let entry = inbox.first(where: { $0.user == user && $0.message == number }), isVisible(entry) {
                    return entry.read == nil
                }
                return devices(of: user).contains { index(of: number, on: $0.record.id) != nil }
            }
        case .revisions(let named):
            unread(
                .messages(
                    named.filter { named in
                        number(of: MessageReference(named.message, of: user.app))
                            .map { message($0).revision <= named.revision } ?? false
                    }.map(\.message)), of: user)
        case .upTo(let moment):
            inbox.filter {
                $0.user == user && $0.read == nil && message($0.message).accepted <= moment
                    && (!message($0.message).isRanged || isLive($0))
            }
            .map(\.message).sorted()
        }
    }

    mutating func read(_ message: Int64, user: UserReference, on device: String?) {
        if mark(message, user: user, on: device) { queueBadge(for: user, except: device) }
    }

    /// Marks a message as read, and removes it from the user's other devices.
    ///
    /// - Returns: whether it was unread.
    private mutating func mark(_ message: Int64, user: UserReference, on device: String?) -> Bool {
        var wasUnread = false
        for index in inbox.indices
        where inbox[index].user == user && inbox[index].message == message && inbox[index].read == nil
            && (!self.message(message).isRanged || isLive(inbox[index]))
        {
            inbox[index].read = now
            wasUnread = true
        }
        for other in devices(of: user) where other.record.id != device {
            guard let index = index(of: message, on: other.record.id),
                !addressed[index].delivery.answers.isSettled
            else { continue }
            receive(.withdrawn(.read), at: index)
        }
        return wasUnread
    }
}
