import CarillonAPNs
import CarillonCore
import Foundation

@testable import CarillonServer

/// The answers: reports, timelines, inboxes.
extension ReferenceStore {
    func report(_ reference: MessageReference, at now: Timestamp) -> NotificationReport? {
        guard let number = number(of: reference) else { return nil }
        let message = message(number)
        let counts = counts(message)
        let state: MessageState =
            if message.recalled != nil {
                .recalled
            } else if message.isCancelled {
                .cancelled
            } else if message.new.until.map({ $0 <= now }) ?? hasMissedItsTime(message, counts, at: now) {
                .expired
            } else if message.isPaused {
                .paused
            } else if counts.queued == 0 {
                .sent
            } else {
                counts.queued == counts.devices ? .accepted : .sending
            }
        let hasExpired = hasExpired(message, at: now)
        let outcomes = standings(message, isWithdrawn: true, hasExpired: hasExpired).compactMap(\.1.outcome?.rawValue)
        let replies = Set(events.filter { $0.message == number && $0.event.reply != nil }.map(\.event.device)).count
        return NotificationReport(
            id: reference.id, state: state, mode: message.new.mode, topic: message.new.app.topic,
            revision: message.revision, acceptedAt: message.accepted, until: end(of: message),
            recalledAt: message.recalled, counts: counts,
            recall: message.recalled == nil && !hasExpired
                ? nil : Dictionary(outcomes.map { ($0, 1) }, uniquingKeysWith: +),
            replies: message.new.keepsReplies ? replies : nil, reason: message.nobody)
    }

    private func end(of message: ReferenceMessage) -> MessageEnd? {
        message.new.isNowOrNever ? .now : message.new.until.map(MessageEnd.at)
    }

    /// Whether a message that is delivered now or never was sent to nobody in its time.
    private func hasMissedItsTime(
        _ message: ReferenceMessage, _ counts: NotificationReport.Counts, at now: Timestamp
    ) -> Bool {
        let lifetime = SendingRules().lifetime(isNowOrNever: true, isRanged: message.isRanged)
        return message.new.isNowOrNever && message.accepted + lifetime <= now && counts.devices > 0
            && counts.devices == counts.queued + counts.expired
    }

    private func hasExpired(_ message: ReferenceMessage, at now: Timestamp) -> Bool {
        message.recalled == nil && message.new.removesExpired && message.new.until.map { $0 <= now } ?? false
    }

    private func standings(
        _ message: ReferenceMessage, isWithdrawn: Bool, hasExpired: Bool
    ) -> [(String, RemovalStanding)] {
        addressed.filter { $0.message == message.number }.sorted { $0.device < $1.device }.map { known in
            let (removal, notice) = (known.delivery.removal, known.delivery.notice)
            let hasNotice = notice?.state == .accepted && (notice?.revision ?? 0) >= (removal?.revision ?? .max)
            return (
                known.device,
                RemovalStanding(
                    isWithdrawn: isWithdrawn, hasExpired: hasExpired, isRequested: removal != nil,
                    isConfirmed: removal?.confirmed != nil, hasNotice: hasNotice,
                    mayHaveArrived: known.delivery.mayHaveArrived, isSettled: known.delivery.answers.isSettled)
            )
        }
    }

    private func counts(_ message: ReferenceMessage) -> NotificationReport.Counts {
        var counts = NotificationReport.Counts()
        counts.devices = message.devices
        for known in addressed where known.message == message.number {
            counts[known.delivery.show.state] += 1
            if known.delivery.show.attempt > 1 { counts.secondSends += 1 }
        }
        let own = events.filter { $0.message == message.number }
        let expired = Set(
            addressed.filter { $0.message == message.number && $0.delivery.show.state == .expired }.map(\.device))
        for kind in ReceiptEvent.allCases {
            let counted = kind == .expired ? expired : []
            let told = own.filter { $0.receipt != nil && $0.event.event == TimelineEventKind(kind) }
            if message.isRanged {
                // Of the revision that each has.
                counts.add(
                    addressed.filter {
                        $0.message == message.number && $0.delivery.answers.contains(ReceiptSet(kind))
                            && !counted.contains($0.device)
                    }.count, kind)
                continue
            }
            counts.add(Set(told.map(\.event.device)).subtracting(counted).count, kind)
        }
        let shown = own.map(\.event).filter { $0.event == .shown }
        let fallbacks = own.map(\.event).filter { $0.purpose == .fallback && $0.event == .accepted }
        let alerted = fallbacks.filter { fallback in
            shown.contains {
                $0.device == fallback.device && $0.revision == fallback.revision && $0.at < fallback.at
            }
        }
        let again = shown.filter { $0.detail == Receipt.shownAgain }
        counts.secondAlerts = Set((alerted + again).map(\.device)).count
        return counts
    }

    func recallAnswer(_ reference: MessageReference) -> RecallAnswer? {
        guard let number = number(of: reference) else { return nil }
        let standings = standings(message(number), isWithdrawn: true, hasExpired: false)
        let outcomes = standings.compactMap { device, standing in standing.outcome.map { (device, $0) } }
        return RecallAnswer(
            id: reference.id, state: .recalled,
            recall: Dictionary(outcomes.map { ($0.1.rawValue, 1) }, uniquingKeysWith: +),
            devices: outcomes.map { RecallAnswer.DeviceRecall(device: $0.0, recall: $0.1) })
    }

    func timeline(_ reference: MessageReference, at now: Timestamp) -> Timeline? {
        guard let number = number(of: reference) else { return nil }
        let message = message(number)
        let hasExpired = hasExpired(message, at: now)
        let standings = standings(
            message, isWithdrawn: message.recalled != nil || hasExpired, hasExpired: hasExpired)
        return Timeline(
            id: reference.id,
            devices: standings.compactMap { device, standing in
                guard let index = index(of: number, on: device) else { return nil }
                let state = addressed[index].delivery.show.state
                let own = events.filter { $0.message == number && $0.event.device == device }.map(\.event)
                let ordered = own.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
                    .map(\.element).suffix(StoreLimits.timelineEventsPerDevice)
                return DeviceTimeline(
                    device: device, state: state, recall: standing.outcome,
                    events: ExpiryInference.applied(
                        to: Array(ordered).inCausalOrder(), state: state, end: end(of: message),
                        now: now))
            }, next: nil, reason: message.nobody)
    }

    func inbox(_ user: UserReference, at now: Timestamp) -> [InboxEntry] {
        inbox.filter { $0.user == user && !$0.isGone && isVisible($0) }.compactMap { entry in
            let message = message(entry.message)
            guard message.recalled == nil, message.new.until.map({ $0 > now }) ?? true,
                let payload = try? Payload(json: JSONValue(parsing: message.new.payload))
            else { return nil }
            return InboxEntry(
                number: entry.message, id: message.new.id, acceptedAt: message.accepted, until: message.new.until,
                readAt: entry.read, revision: message.revision, payload: payload)
        }.sorted { $0.number > $1.number }
    }

    mutating func sync(_ device: String, at moment: Timestamp) -> SyncAnswer? {
        now = moment
        guard let known = devices[device] else { return nil }
        return SyncAnswer(
            now: moment, removals: openRemovals(of: device),
            unread: known.record.user.map { unreadCount(of: UserReference($0, of: known.record.app.number)) },
            tokenEnd: known.record.token?.end)
    }

    /// When something is to be done next.
    var nextDue: Timestamp? {
        let pushes =
            addressed.flatMap { known in
                [PushPurpose.show, .fallback, .notice].filter { !known.held.contains($0) }
                    .compactMap { known.delivery[$0] }
            } + ownPushes.map(\.push)
        return (pushes.filter(\.isWaiting).map(\.due) + messages.compactMap(\.expires)).min()
    }

    /// The pushes that wait, as "device purpose".
    func waiting(in app: AppNumber) -> [String] {
        func isOf(_ device: String) -> Bool { devices[device]?.record.app.number == app }
        let shown = addressed.filter { message($0.message).new.app.number == app }.flatMap { addressed in
            [
                (PushPurpose.show, addressed.delivery.show), (.fallback, addressed.delivery.fallback),
                (.notice, addressed.delivery.notice),
            ].map { (addressed.device, $0, $1) }
        }
        let own = ownPushes.filter { $0.message.map { message($0).new.app.number == app } ?? isOf($0.device) }
        return (shown + own.map { ($0.device, $0.purpose, $0.push) })
            .filter { $0.2?.isWaiting == true }.map { "\($0.0) \($0.1.rawValue)" }.sorted()
    }
}
