import CarillonCore
import CarillonMessaging

/// What becomes of messages: the policy decides, and this carries it out on the ``Carillon/notificationQueue``.
extension Carillon: MessageHost {
    var messages: MessageInterpreter { MessageInterpreter(host: self, center: notificationCenter) }

    package func received(_ event: MessageEvent) -> [MessageAction] {
        store.update { [now = clock.now, recall = configuration.recall] contents in
            let situation = MessageSituation(
                carriesOutRecalls: recall == .enabled, signedOut: contents.registration.isSignOutPending)
            return contents.policy.received(event, in: situation, at: now)
        }
    }

    package func save() { store.save() }

    package func takeOverFromExtension() { store.takeOverFromExtension() }

    /// Gives the policy an event, and carries out what follows.
    ///
    /// - Parameters:
    ///   - event: what has happened.
    ///   - progress: of the callback of iOS for which it is done; the default is one that nobody asks.
    func carryOut(_ event: MessageEvent, _ progress: Progress? = nil) async {
        let progress = progress ?? Progress()
        await messages.carryOut(event) { hear($0, progress) }
    }

    /// Gives the policy an event to which iOS wants an answer before anything else happens.
    ///
    /// - Parameters:
    ///   - event: what has happened.
    ///   - progress: what is learnt of it.
    /// - Returns: what is left to do.
    func begin(_ event: MessageEvent, _ progress: Progress) -> ArraySlice<MessageAction> {
        messages.begin(event) { hear($0, progress) }
    }

    /// Does what ``begin(_:_:)`` has left to do.
    func finish(_ rest: ArraySlice<MessageAction>, _ progress: Progress) async {
        await messages.finish(rest) { hear($0, progress) }
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
        case .present(let presentation): progress.presentation = presentation
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
            await notificationQueue.run { [self] in await carryOut(.listMayBeOld) }
            await serviceQueue.run { [self] in
                _ = await exchangeWithService(after: PushInstructions(dialect: .carillon))
            }
        }
    }
}
