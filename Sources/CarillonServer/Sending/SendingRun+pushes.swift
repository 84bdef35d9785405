import CarillonCore
import Synchronization

/// The hand-over of claimed deliveries to APNs, and their answers.
extension SendingRun {
    /// Splits deliveries into hand-overs, each for one task: pushes of one app, up to a limit.
    func handOvers(of deliveries: [ClaimedDelivery]) -> [ArraySlice<ClaimedDelivery>] {
        guard let app = deliveries.first?.app else { return [] }
        var apps = [deliveries]
        // Nearly always they are of one app.
        if !deliveries.indices.allSatisfy({ deliveries[$0].app == app }) {
            apps = Dictionary(grouping: deliveries) { $0.app }.sorted { $0.key.description < $1.key.description }
                .map(\.value)
        }
        return apps.flatMap { deliveries in
            stride(from: 0, to: deliveries.count, by: ServiceLimits.pushesPerHandOver).map {
                deliveries[$0...].prefix(ServiceLimits.pushesPerHandOver)
            }
        }
    }

    func send(_ deliveries: ArraySlice<ClaimedDelivery>) async {
        let now = clock.now
        var (pushes, drafts): ([ComposedPush], [SentPush]) = ([], [])
        pushes.reserveCapacity(deliveries.count)
        drafts.reserveCapacity(deliveries.count)
        // The loop is over indices, because a loop over the values would retain and release a dozen references of each.
        for place in deliveries.indices {
            do {
                let push = try PushComposer.compose(deliveries[place], at: now)
                drafts.append(Self.draft(deliveries[place], push, at: now))
                pushes.append(push)
            } catch {
                let outcome = SendOutcome.unsendable("\(error.key) \(error.problem)")
                tell(.answered([answered(Self.draft(deliveries[place], nil, at: now), outcome, began: now, at: now)]))
            }
        }
        guard !pushes.isEmpty else { return }
        let (began, handedOver) = (clock.now, clock.uptime)
        // A lease decides who may send, and APNs does not check it. So no push is begun that could outlast the lease.
        guard handedOver < leaseEnd.withLock({ $0 }) - DeliveryLimits.leaseMargin else {
            return tell(.answered(drafts.map { answered($0, .notBegun, began: began, at: began) }))
        }
        await sender.send(pushes) { [drafts] answers in
            let (now, took) = (self.clock.now, self.clock.uptime - handedOver)
            self.tell(
                .answered(
                    answers.map { self.answered(drafts[$0.place], $0.outcome, began: began, at: now, took: took) }))
        }
    }

    /// Returns the settlement of a push, complete except for the outcome.
    private static func draft(_ delivery: ClaimedDelivery, _ push: ComposedPush?, at now: Timestamp) -> SentPush {
        let settlement = Settlement(
            number: delivery.number, purpose: delivery.purpose, lease: delivery.lease, revision: delivery.revision,
            attempt: delivery.attempt, at: now, apnsID: push?.apnsID, outcome: .notBegun, jitter: 0,
            removals: delivery.removals.isEmpty ? [] : delivery.removals.map(\.message),
            badge: push.map { badge(delivery, $0) } ?? .none, device: delivery.device)
        return SentPush(app: delivery.app, lane: delivery.lane, settlement: settlement)
    }

    private func answered(
        _ draft: SentPush, _ outcome: SendOutcome, began: Timestamp, at now: Timestamp, took: Duration? = nil
    ) -> SentPush {
        var sent = draft
        sent.took = outcome.hasLeft ? took : nil
        sent.settlement.outcome = outcome
        sent.settlement.sent = outcome.hasLeft ? began : nil
        sent.settlement.at = now
        // An accepted push is not tried again and needs no jitter.
        if !outcome.isAccepted { sent.settlement.jitter = service.random.fraction() }
        return sent
    }

    /// Returns the push's effect on the badge number; only an alert push sets the number without any code of the app.
    private static func badge(_ delivery: ClaimedDelivery, _ push: ComposedPush) -> Settlement.BadgeEffect {
        guard push.pushType == .alert, delivery.purpose != .notice else { return .none }
        if delivery.purpose == .badge || delivery.message?.badgeIsUnreadCount == true {
            return delivery.unread.map(Settlement.BadgeEffect.unread) ?? .none
        }
        return delivery.message?.payload.aps.badge == nil ? .none : .sender
    }
}
