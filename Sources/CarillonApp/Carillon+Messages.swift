import CarillonCore
import CarillonMessaging

/// What becomes of messages: the policy decides, and this carries it out on the ``Carillon/notificationQueue``.
extension Carillon: PlanHost {
    @discardableResult
    package func decide<Value: Sendable>(_ decision: (inout MessagePolicy, MessageMoment) -> Value) -> Value {
        store.update { [now = clock.now, recall = configuration.recall] contents in
            let moment = MessageMoment(
                now: now, carriesOutRecalls: recall == .enabled, signedOut: contents.registration.isSignOutPending)
            return decision(&contents.policy, moment)
        }
    }

    package func save() { store.save() }

    package func takeOverFromExtension() { store.takeOverFromExtension() }

    /// Carries out what the policy decides.
    ///
    /// - Parameters:
    ///   - progress: of the callback of iOS for which it is done; the default is one that nobody asks.
    ///   - decision: of the policy.
    func carryOut(
        _ progress: Progress? = nil, _ decision: (inout MessagePolicy, MessageMoment) -> MessagePlan
    ) async {
        let progress = progress ?? Progress()
        await PlanRunner(host: self, center: notificationCenter).run(decide(decision)) { hear($0, progress) }
    }

    private func hear(_ notice: MessageNotice, _ progress: Progress) {
        switch notice {
        case .newData: progress.hasNewData = true
        case .failed: progress.hasFailed = true
        case .report(let event): configuration.report(event)
        case .handOver: progress.isForApp = true
        case .handOverAll(let notifications): progress.unreported = notifications
        case .removals(let removals):
            removeFromInbox(removals)
            tell(removals.map(RemovedMessage.init))
        case .old(let recalled, let reasons, let expired):
            tell(
                zip(recalled, reasons).map { RemovedMessage($0, $1) }
                    + expired.map { RemovedMessage(identifier: $0, reason: .expired) })
        case .nextExpiry(let moment): watchExpiry(moment)
        case .treat, .isNotice: break
        }
    }

    // MARK: Expiry

    /// Removes the next message of the list when it expires, if the app is still running then.
    private func watchExpiry(_ next: Timestamp?) {
        expiryAlarm?.cancel()
        expiryAlarm = next.map { moment in
            clock.schedule(at: moment) { [weak self] in
                onMainThread { self?.startRemovingExpired() }
            }
        }
    }

    private func startRemovingExpired() {
        tasks.start { [self] in
            await notificationQueue.run { [self] in await carryOut { policy, _ in policy.listMayBeOld() } }
            await serviceQueue.run { [self] in
                _ = await exchangeWithService(after: PushInstructions(dialect: .carillon))
            }
        }
    }
}
