import CarillonCore

/// One leased batch on its way through APNs: all at once, committed as the answers come in.
struct DeliveryBatch {
    private struct Answer {
        var delivery: ClaimedDelivery
        var push: ComposedPush
        var outcome: SendOutcome
        var sent: Timestamp
        var at: Timestamp
    }

    let worker: DeliveryWorker
    let leaseUntil: Timestamp

    private var service: ServiceContext { worker.service }

    func send(_ deliveries: [ClaimedDelivery], _ gates: inout CredentialGates) async throws {
        guard !deliveries.isEmpty else { return }
        let rule = DeliveryRule(assuredWait: service.configuration.assuredWait)
        var pending: [Settlement] = []
        var pushes: [(ClaimedDelivery, ComposedPush)] = []
        for delivery in deliveries {
            switch compose(delivery) {
            case .success(let push): pushes.append((delivery, push))
            case .failure(let settlement): pending.append(settlement.value)
            }
        }
        let failure = await withTaskGroup(of: Answer.self) { group -> (any Error)? in
            for (delivery, push) in pushes { group.addTask { await hand(over: push, for: delivery) } }
            for await answer in group {
                let decision = rule.decide(
                    answer.delivery, answer.push, answer.outcome, sent: answer.sent, now: answer.at,
                    jitter: service.random.fraction())
                worker.apply(decision.health, to: answer.delivery.app, &gates)
                pending.append(decision.settlement)
                guard pending.count >= ServiceLimits.outcomesPerCommit else { continue }
                do { try await commit(&pending) } catch { return error }
            }
            do { try await commit(&pending) } catch { return error }
            return nil
        }
        if let failure { throw failure }
    }

    private struct Unsendable: Error { let value: Settlement }

    private func compose(_ delivery: ClaimedDelivery) -> Result<ComposedPush, Unsendable> {
        let now = service.clock.now
        do {
            return .success(try PushComposer.compose(delivery, at: now))
        } catch {
            let settlement = Settlement(
                number: delivery.number, revision: delivery.revision, attempt: delivery.attempt, sent: nil, at: now,
                apnsID: nil, result: .cancelled("the payload cannot be sent: \(error.key) \(error.problem)"))
            return .failure(Unsendable(value: settlement))
        }
    }

    /// A lease says who may send, and APNs does not check it: nothing is begun that could outlast it.
    private func hand(over push: ComposedPush, for delivery: ClaimedDelivery) async -> Answer {
        let sent = service.clock.now
        let outcome: SendOutcome =
            if sent >= leaseUntil - ServiceLimits.leaseMargin {
                .notSent("the lease is about to end")
            } else {
                await worker.sender.send(push)
            }
        return Answer(delivery: delivery, push: push, outcome: outcome, sent: sent, at: service.clock.now)
    }

    private func commit(_ pending: inout [Settlement]) async throws {
        guard !pending.isEmpty else { return }
        let events = try await service.store.settle(
            pending, worker: service.configuration.workerName, at: service.clock.now)
        pending = []
        service.publish(events)
    }
}
