import CarillonCore
import Foundation

/// What is said to the service; everything here runs on the ``Carillon/serviceLane``, but for ``Carillon/reconcile()``.
extension Carillon {
    /// Gets in step: looks at the list, removes what may not be there, asks for removals that were missed, sends receipts.
    func reconcile() async {
        _ = await readPermission()
        let unheard = await screenLane.run { [self] in
            await meetShown()
            await removeUnwelcome()
            return await unheardOnScreen()
        }
        let conversation = Task { [self] in
            await serviceLane.run { [self] in
                await register()
                await synchronise()
                _ = await sendReceipts()
                await exchangeInbox()
            }
        }
        for message in unheard { await onMessage?(message) }
        await conversation.value
    }

    /// After a push or a response: what has to be said, and asked.
    ///
    /// - Returns: `false` when the push wanted an answer that did not come.
    func converse(_ instructions: PushInstructions) async -> Bool {
        await register()
        let isInStep = instructions.needsSync ? await synchronise() : true
        await tellRead()
        return await sendReceipts() && isInStep
    }

    /// Tells the service what has changed about this installation, if anything has.
    func register() async {
        for _ in 0..<Self.registrationStepLimit {
            let facts = await currentFacts()
            let action = store.contents.registration.next(facts, at: clock.now)
            switch action {
            case .nothing: return
            case .wait: return retryLater()
            case .signOut:
                guard await confirmSignOut() else { return }
            case .register(let facts, let withSignInToken):
                guard await register(facts, changing: nil, withSignInToken) else { return }
            case .change(let known, let facts, let withSignInToken):
                guard await register(facts, changing: known, withSignInToken) else { return }
            }
        }
    }

    /// A sign-out, a registration, and one more because something changed meanwhile.
    private static let registrationStepLimit = 3

    private func currentFacts() async -> RegistrationFacts? {
        guard let deviceToken else { return nil }
        return RegistrationFacts(
            token: deviceToken, topic: configuration.topic, environment: configuration.environment,
            device: DeviceFacts(
                permission: await screen.permission(), locale: Locale.current.identifier,
                timeZone: TimeZone.current.identifier, appVersion: configuration.appVersion,
                tags: configuration.tags))
    }

    /// - Parameter known: what the service has confirmed before; it is told only what differs.
    private func register(
        _ facts: RegistrationFacts, changing known: RegistrationFacts?, _ withSignInToken: Bool
    ) async -> Bool {
        let identity = store.identity
        do {
            let token = withSignInToken ? try await signInToken() : nil
            let asked = clock.now
            let answer =
                if let known {
                    try await service.change(DeviceChange(from: known, to: facts, signInToken: token), as: identity)
                } else {
                    try await service.register(Registration(facts, identity, signInToken: token), as: identity)
                }
            store.update { $0.registration.registered(facts, user: answer.user) }
            await apply(answer.sync, askedAt: asked)
            return true
        } catch {
            failed(error, known == nil ? .register : .change)
            let error = error as? ServiceCallError
            return known == nil ? error?.isConflict == true : error?.isUnknownInstallation == true
        }
    }

    private func signInToken() async throws -> String? {
        let token = try await configuration.signInToken()
        if token == nil { store.update { $0.registration.nobodyIsSignedIn() } }
        return token
    }

    private func confirmSignOut() async -> Bool {
        do {
            try await service.signOut(as: store.identity)
            store.update { $0.registration.signOutConfirmed() }
            return true
        } catch {
            failed(error, .signOut)
            return false
        }
    }

    /// - Returns: whether the service has answered; `true` when this installation is not registered at all.
    @discardableResult
    private func synchronise() async -> Bool {
        guard store.contents.registration.confirmed != nil else { return true }
        let asked = clock.now
        do {
            await apply(try await service.sync(as: store.identity), askedAt: asked)
            return true
        } catch {
            failed(error, .sync)
            return await registeredAnew()
        }
    }

    /// - Returns: whether nothing is left to send.
    private func sendReceipts() async -> Bool {
        guard store.contents.registration.confirmed != nil else { return true }
        for _ in 0..<ReceiptQueue.countLimit / ReceiptQueue.batchLimit {
            let batch = store.contents.policy.receipts.batch(at: clock.now)
            guard !batch.isEmpty else { break }
            let asked = clock.now
            do {
                let answer = try await service.send(batch, as: store.identity)
                store.update { $0.policy.receipts.settled(batch) }
                await apply(answer, askedAt: asked)
            } catch {
                failed(error, .receipts)
                if await registeredAnew() { continue }
                guard error.isFinal, !error.isUnknownInstallation else { return false }
                // The service will never take these: keeping them would hold up all that follow.
                store.update { $0.policy.receipts.settled(batch) }
            }
        }
        return store.contents.policy.receipts.pending.isEmpty
    }

    /// The service did not know this installation: it is told at once who this is.
    ///
    /// - Returns: whether it was forgotten, and is known again.
    private func registeredAnew() async -> Bool {
        guard store.contents.registration.confirmed == nil else { return false }
        await register()
        return store.contents.registration.confirmed != nil
    }

    func apply(_ answer: SyncAnswer, askedAt: Timestamp) async {
        store.update { [now = clock.now] in $0.policy.time.heard(answer.now, askedAt: askedAt, at: now) }
        await screenLane.run { [self] in
            _ = await remove(answer.removals.map(PushRemoval.init))
            if let unread = answer.unread { await setBadge(unread, saidAt: answer.now) }
        }
    }

    /// Notes when what failed may be tried again. A failed question is asked anew at the next contact.
    func failed(_ error: any Error, _ request: Request) {
        configuration.report(.serviceFailed(request: request.rawValue, reason: "\(error)"))
        let serviceError = error as? ServiceCallError
        let isUnknown = request != .register && serviceError?.isUnknownInstallation == true
        let noAnswer = serviceError?.isMissingAnswer ?? false
        store.update { [now = clock.now] contents in
            if isUnknown { contents.registration.wasForgotten() }
            switch request {
            case .register, .change, .signOut:
                if !isUnknown { contents.registration.backoff.failed(at: now, noAnswer: noAnswer) }
            case .receipts:
                if !isUnknown { contents.policy.receipts.backoff.failed(at: now, noAnswer: noAnswer) }
            case .sync, .inbox, .read: break
            }
        }
        if request == .read {
            store.inbox.update { [now = clock.now] in $0.backoff.failed(at: now, noAnswer: noAnswer) }
        }
        if request == .register, serviceError?.isConflict == true { becomeAnother() }
        retryLater()
    }

    /// The service knows somebody else by this installation's id: begin anew, without waiting.
    private func becomeAnother() {
        store.renewIdentity()
        store.update { $0.registration.wasForgotten() }
    }

    enum Request: String {
        case register = "POST devices"
        case change = "PATCH devices"
        case signOut = "DELETE devices"
        case sync = "GET devices"
        case receipts = "POST receipts"
        case inbox = "GET inbox"
        case read = "POST read"
    }

    /// Tries again when the first back-off ends, if the app is still running then.
    private func retryLater() {
        let contents = store.contents
        let moments = [
            contents.registration.backoff.notBefore, contents.policy.receipts.backoff.notBefore,
            store.inbox.contents.backoff.notBefore,
        ]
        guard let moment = moments.compactMap(\.self).min() else { return }
        retry?.cancel()
        retry = clock.schedule(at: moment) { [weak self] in
            onMainThread { self?.getInStep() }
        }
    }
}
