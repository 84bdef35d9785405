import CarillonCore
import Synchronization

/// Hands leased deliveries to APNs and reports their outcomes.
extension SendingRun {
    /// Splits deliveries into groups of one app's pushes, at most ``ServiceLimits/pushesPerHandOver`` each, to hand over to APNs
    /// together.
    func handOvers(of deliveries: [ClaimedDelivery]) -> [ArraySlice<ClaimedDelivery>] {
        guard let app = deliveries.first?.app else { return [] }
        var apps = [deliveries]
        // Nearly always, all deliveries belong to one app.
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
        var (pushes, places): ([ComposedPush], [Int]) = ([], [])
        var unsendable: [(place: Int, outcome: SendOutcome)] = []
        pushes.reserveCapacity(deliveries.count)
        places.reserveCapacity(deliveries.count)
        // Loops over indices, because a loop over values would retain and release a dozen references for each.
        for index in deliveries.indices {
            do {
                pushes.append(try PushComposer.compose(deliveries[index], at: now))
                places.append(index - deliveries.startIndex)
            } catch {
                unsendable.append((index - deliveries.startIndex, .unsendable("\(error.key) \(error.problem)")))
            }
        }
        let handOver = HandOver(deliveries, began: clock.now, uptime: clock.uptime)
        if !unsendable.isEmpty { tell(unsendable, of: handOver, at: now) }
        guard !pushes.isEmpty else { return }
        // APNs does not know about leases. So the sender starts no push that could outlast its lease, and none after its time.
        let time = DeliveryLimits.pushDeadline(underLease: service.configuration.leaseDuration)
        guard handOver.uptime < leaseEnd.withLock({ $0 }) - time else {
            return tell(places.map { ($0, .notBegun) }, of: handOver, at: handOver.began)
        }
        let end = SendDeadline(at: handOver.uptime + time, on: clock)
        await sender.send(pushes, until: end) { [places, isWhole = unsendable.isEmpty] answers in
            let answers = isWhole ? answers : answers.map { (places[$0.place], $0.outcome) }
            self.tell(answers, of: handOver, at: self.clock.now)
        }
    }

    private func tell(_ answers: [(place: Int, outcome: SendOutcome)], of handOver: HandOver, at now: Timestamp) {
        let uptime = clock.uptime
        let sent = answers.map { answer in
            // An accepted push is not sent again and needs no jitter.
            SentPush(
                handOver, place: answer.place, answer.outcome, at: now,
                jitter: answer.outcome.isAccepted ? 0 : service.random.fraction())
        }
        service.metrics.count(sent, of: handOver, at: now, uptime: uptime)
        tell(.answered(sent, at: uptime))
    }
}
