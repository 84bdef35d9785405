import CarillonAPNs
import CarillonCore
import Foundation

@testable import CarillonServer

/// Claims of due pushes, and their outcomes.
extension ReferenceStore {
    // MARK: Queueing

    mutating func queueRemoval(at index: Int) {
        let known = addressed[index]
        guard message(known.message).new.dialect == .pushwoosh else { return queuePush(.removal, to: known.device) }
        let revision = known.delivery.removal?.revision ?? known.delivery.show.revision
        let queued = ownPushes.firstIndex {
            $0.message == known.message && $0.device == known.device && $0.purpose == .removal
        }
        if let queued {
            ownPushes[queued].push.requeue(revision: revision, at: now, due: now)
        } else if devices[known.device]?.isReachable == true {
            ownPushes.append(
                ReferencePush(
                    number: nextNumber(), purpose: .removal, device: known.device, message: known.message,
                    push: Push(revision: revision, queued: now, due: now)))
        }
    }

    func isWaiting(_ purpose: PushPurpose, _ device: String) -> Bool {
        ownPushes.contains {
            $0.purpose == purpose && $0.device == device && $0.message == nil && $0.push.isWaiting
        }
    }

    private mutating func queuePush(_ purpose: PushPurpose, to device: String) {
        if !isWaiting(purpose, device) { queueOwnPush(purpose, to: device, due: now) }
    }

    mutating func queueOwnPush(_ purpose: PushPurpose, to device: String, due: Timestamp) {
        guard var known = devices[device], known.isReachable else { return }
        known.pushRevision += 1
        devices[device] = known
        ownPushes.append(
            ReferencePush(
                number: nextNumber(), purpose: purpose, device: device,
                push: Push(revision: known.pushRevision, queued: now, due: due)))
    }

    mutating func queueBadge(for user: UserReference, except device: String?) {
        let unread = unreadCount(of: user)
        for known in devices(of: user) where known.record.id != device && known.isReachable {
            let isToldAnyway = ownPushes.contains {
                $0.device == known.record.id && $0.purpose == .removal && $0.push.state == .queued
            }
            guard let badge = known.badge, badge != unread, !isToldAnyway else { continue }
            queuePush(.badge, to: known.record.id)
        }
    }

    // MARK: Leasing

    /// Everything that is due, of one app or of all.
    mutating func claim(_ sender: SenderNumber, only app: AppID?) -> [ReferenceClaim] {
        endWhatHasExpired()
        var claims: [ReferenceClaim] = []
        for (purpose, index) in dueDeliveries(of: app) {
            let known = addressed[index]
            if message(known.message).isPaused, purpose != .notice {
                addressed[index].held.insert(purpose)
            } else if let end = hindrance(to: purpose, at: index) {
                receive(end, at: index)
            } else {
                receive(.leased(purpose, to: sender), at: index)
                guard let push = addressed[index].delivery[purpose], let number = known.numbers[purpose] else {
                    continue
                }
                claims.append(claim(number, purpose, push, known.device, known.message))
            }
        }
        let due = ownPushes.filter { $0.push.isWaiting && hasTurn($0.push) && isOf(app, $0.device) }
        for own in due {
            guard let index = ownPushes.firstIndex(where: { $0.number == own.number }) else { continue }
            if isNeeded(own) {
                _ = ownPushes[index].push.lease(to: sender)
                let claimed = claim(own.number, own.purpose, ownPushes[index].push, own.device, own.message)
                if own.purpose == .removal, own.message == nil {
                    let carried = addressed.filter { known in
                        known.device == own.device
                            && claimed.removals.contains { $0.message == message(known.message).new.id }
                    }
                    ownPushes[index].carried.formUnion(carried.map(\.message))
                }
                claims.append(claimed)
            } else {
                ownPushes.remove(at: index)
            }
        }
        return claims
    }

    /// The due deliveries: the one that has been due longest comes first.
    private func dueDeliveries(of app: AppID?) -> [(PushPurpose, Int)] {
        let due: [(due: Timestamp, purpose: PushPurpose, index: Int)] = addressed.indices.flatMap { index in
            [PushPurpose.show, .fallback, .notice].compactMap { purpose in
                guard let push = addressed[index].delivery[purpose], push.isWaiting, hasTurn(push),
                    !addressed[index].held.contains(purpose),
                    isOf(app, addressed[index].device)
                else { return nil }
                return (push.due, purpose, index)
            }
        }
        return due.enumerated().sorted { ($0.element.due, $0.offset) < ($1.element.due, $1.offset) }
            .map { ($0.element.purpose, $0.element.index) }
    }

    private func hasTurn(_ push: Push) -> Bool { push.due <= now || push.due > now + StoreLimits.longestTurn }

    private func isOf(_ app: AppID?, _ device: String) -> Bool {
        guard let app, let record = devices[device]?.record ?? deleted[device] else { return true }
        return record.app.topic == app.topic && record.environment == app.environment
    }

    private func hindrance(to purpose: PushPurpose, at index: Int) -> DeliveryEvent? {
        let known = addressed[index]
        let message = message(known.message)
        var delivery = known.delivery
        delivery.user = message.new.audience.isBroadcast ? nil : known.owner
        (delivery.isRanged, delivery.isNowOrNever) = (message.isRanged, message.new.isNowOrNever)
        delivery.isRecalled = message.recalled != nil
        delivery.isCancelled = message.isCancelled
        delivery.hasNotice = message.notice != nil
        let device = devices[known.device]
        return delivery.hindrance(
            to: purpose, DeviceStanding(isReachable: device?.isReachable ?? false, user: device?.record.user),
            until: message.new.until, SendingRules(), at: now)
    }

    private func isNeeded(_ own: ReferencePush) -> Bool {
        guard let device = devices[own.device], device.isReachable else { return false }
        return switch own.purpose {
        case .tokenCheck: device.record.confirmed == nil
        case .removal where own.message == nil: !openRemovals(of: own.device).isEmpty
        case .removal:
            index(of: own.message ?? 0, on: own.device).map {
                addressed[$0].delivery.removal.map { $0.confirmed == nil } ?? false
            } ?? false
        default: device.record.user != nil
        }
    }

    private func claim(
        _ number: Int64, _ purpose: PushPurpose, _ push: Push, _ device: String, _ message: Int64?
    ) -> ReferenceClaim {
        let removals = openRemovals(of: device)
        let known = devices[device]
        let user = known?.record.user.flatMap { user in
            known.map { UserReference(user, of: $0.record.app.number) }
        }
        let mayTakeAPlace = purpose == .removal || purpose == .badge
        return ReferenceClaim(
            number: number, purpose: purpose, device: device, token: known?.record.token, revision: push.revision,
            attempt: push.attempt, epoch: push.epoch, message: message.map { self.message($0).new.id },
            unread: user.map(unreadCount), removals: Array(removals.prefix(DeliveryLimits.removalsPerPush)),
            hasUnanswered: mayTakeAPlace && mayWaitAtAPNs(device, byRanges: false),
            isWaitingUncertain: mayTakeAPlace
                && mayWaitAtAPNs(device, byRanges: false) != mayWaitAtAPNs(device, byRanges: true))
    }

    func openRemovals(of device: String) -> [Removal] {
        var open: [(request: RemovalRequest, message: MessageID)] = []
        for known in addressed where known.device == device {
            guard let removal = known.delivery.removal, removal.confirmed == nil else { continue }
            open.append((removal, message(known.message).new.id))
        }
        return open.sorted {
            ($1.request.requested, $0.message.rawValue) < ($0.request.requested, $1.message.rawValue)
        }.map { Removal($0.message, revision: $0.request.revision, reason: $0.request.reason) }
    }

    /// Whether a message may wait at APNs for a phone: one that APNs has and the phone has not reported, unless the phone has
    /// reported another of its kind that was queued later.
    ///
    /// - Parameter byRanges: whether the moments of messages that are sent by ranges are not known. An engine knows them only for
    ///   a chunk of them.
    private func mayWaitAtAPNs(_ device: String, byRanges: Bool) -> Bool {
        let known = addressed.filter { known in
            known.device == device && known.delivery.show.queued > now - DeliveryLimits.deliveryLifetime
        }
        func isVisible(_ known: ReferenceDelivery) -> Bool { message(known.message).new.mode == .visible }
        let reported = known.filter { known in
            let isOld = known.delivery.show.revision < message(known.message).revision
            return !known.delivery.answers.subtracting([ReceiptSet(.expired), ReceiptSet(.recalled)]).isEmpty
                && !(byRanges && message(known.message).isRanged && isOld)
        }
        return known.contains { known in
            let message = message(known.message)
            guard known.delivery.show.state == .accepted, known.delivery.answers.isEmpty, known.delivery.removal == nil,
                message.new.until.map({ $0 > now }) ?? true, !message.new.isNowOrNever
            else { return false }
            let accepted = byRanges && message.isRanged ? nil : accepted(known)
            return !reported.contains { other in
                isVisible(other) == isVisible(known) && accepted.map { other.delivery.show.queued > $0 } ?? false
            }
        }
    }

    /// When APNs has accepted a message last.
    private func accepted(_ known: ReferenceDelivery) -> Timestamp? {
        events.filter {
            $0.message == known.message && $0.event.device == known.device && $0.event.event == .accepted
                && $0.event.revision == known.delivery.show.revision
                && ($0.event.purpose == .show || $0.event.purpose == .fallback)
        }
        .map(\.event.at).max()
    }
}

/// The compared parts of a ``ClaimedDelivery``, and the reference's own number.
struct ReferenceClaim: Hashable {
    var number: Int64
    var purpose: PushPurpose
    var device: String
    var token: DeviceToken?
    var revision: Int
    var attempt: Int
    var epoch: Int
    var message: MessageID?
    var unread: Int?
    var removals: [Removal]
    var hasUnanswered: Bool
    /// Whether an engine may know less of what waits at APNs, because it was sent by ranges.
    var isWaitingUncertain = false
}
