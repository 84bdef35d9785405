import CarillonCore
import CarillonExtension
import Foundation
import UserNotifications  // On a simulated phone, for its own `Task`: what is under way is counted.

/// Requests to the service; all but ``Carillon/reconcile()`` run on the ``Carillon/serviceQueue``.
extension Carillon {
    /// Reconciles this phone with the service, at launch and on entering the foreground.
    ///
    /// Reads the list of notifications, removes what may not be there, asks for removals that were missed, and sends
    /// receipts, reads and changes of the registration.
    func reconcile() async {
        store.takeOverFromExtension()
        _ = await readPermission()
        let progress = Progress()
        await notificationQueue.run { [self] in await carryOut(.reconciling, progress) }
        store.saveWhatMatters()
        let serviceExchange = Task { [self] in
            await serviceQueue.run { [self] in
                await register()
                await synchronise()
                _ = await sendReceipts()
                await exchangeInbox()
            }
        }
        for notification in progress.unreported { await tell(AppMessage(notification)) }
        await serviceExchange.value
    }

    /// Tells the service what it does not know yet, after a push or a response.
    ///
    /// If more removals wait than fitted into the push, it is asked for them.
    ///
    /// - Parameter instructions: of the push.
    /// - Returns: `false` when a request was needed that failed.
    func exchangeWithService(after instructions: PushInstructions) async -> Bool {
        // The app may be ended while it waits for an answer.
        store.saveWhatMatters()
        await returnNonce(of: instructions)
        await register()
        let isSynchronised = instructions.needsSync ? await synchronise() : true
        await sendReads()
        return await sendReceipts() && isSynchronised
    }

    /// Tells the service what has changed about this installation, or that its user has signed out.
    func register() async {
        for _ in 0..<AppLimits.requestsPerRegistration {
            let facts = await currentFacts()
            // Read in each round: a conflict ends in a new one.
            guard let identity = store.identity else { return }
            let action = store.contents.registration.next(facts, at: clock.now)
            switch action {
            case .nothing: return
            case .wait: return scheduleRetry()
            case .signOut:
                guard await sendSignOut(as: identity) else { return }
            case .register(let facts, let withSignInToken):
                guard await register(facts, changing: nil, withSignInToken, as: identity) else { return }
            case .change(let known, let facts, let withSignInToken):
                guard await register(facts, changing: known, withSignInToken, as: identity) else { return }
            }
            store.save()
        }
    }

    private func currentFacts() async -> RegistrationFacts? {
        guard let deviceToken else { return nil }
        let region = region()
        return RegistrationFacts(
            token: deviceToken, topic: configuration.topic, environment: configuration.environment,
            device: DeviceFacts(
                permission: await notificationCenter.permission(), locale: region.locale,
                timeZone: region.timeZone, appVersion: configuration.appVersion,
                tags: configuration.tags))
    }

    /// - Parameters:
    ///   - facts: as they are now.
    ///   - known: what the service has confirmed before, so that it is told only what differs; `nil` for everything.
    ///   - withSignInToken: whether a sign-in token is needed.
    ///   - identity: who says it.
    /// - Returns: whether to look for a next step at once.
    private func register(
        _ facts: RegistrationFacts, changing known: RegistrationFacts?, _ withSignInToken: Bool,
        as identity: InstallationIdentity
    ) async -> Bool {
        do {
            let token = withSignInToken ? try await signInToken() : nil
            let requestedAt = clock.now
            let answer =
                if let known {
                    try await service.change(DeviceChange(from: known, to: facts, signInToken: token), as: identity)
                } else {
                    try await service.register(Registration(facts, identity, signInToken: token), as: identity)
                }
            store.update { [now = clock.now] in
                $0.registration.registered(facts, user: answer.user, awaitsToken: answer.awaitsToken == true, at: now)
            }
            await apply(answer.sync, askedAt: requestedAt)
            return true
        } catch {
            failed(error, known == nil ? .register : .change)
            let error = error as? ServiceCallError
            return known == nil ? error?.isConflict == true : error?.isUnknownInstallation == true
        }
    }

    /// Proves to the service that pushes to the device token reach this installation, which had another one's token.
    private func returnNonce(of instructions: PushInstructions) async {
        guard let claim = instructions.claim, let identity = store.identity,
            claim.installation == identity.installation
        else { return }
        do {
            let requestedAt = clock.now
            let answer = try await service.claimToken(nonce: claim.nonce, as: identity)
            store.update { $0.registration.holdsToken() }
            await apply(answer.sync, askedAt: requestedAt)
        } catch {
            // The next registration asks for another nonce.
            failed(error, .register)
        }
    }

    private func signInToken() async throws -> String? {
        let token = try await configuration.signInToken()
        if token == nil { store.update { $0.registration.nobodyIsSignedIn() } }
        return token
    }

    /// - Returns: whether the service has confirmed it.
    private func sendSignOut(as identity: InstallationIdentity) async -> Bool {
        do {
            try await service.signOut(as: identity)
            store.update { $0.registration.signOutConfirmed() }
            return true
        } catch {
            failed(error, .signOut)
            return false
        }
    }

    /// Fetches removals and badge.
    ///
    /// - Returns: whether the service has answered; `true` when this installation is not registered at all.
    @discardableResult
    private func synchronise() async -> Bool {
        guard store.contents.registration.confirmed != nil, let identity = store.identity else { return true }
        let requestedAt = clock.now
        do {
            await apply(try await service.sync(as: identity), askedAt: requestedAt)
            return true
        } catch {
            failed(error, .sync)
            return await registerAgainIfForgotten()
        }
    }

    /// Sends the receipts that wait, in batches.
    ///
    /// - Returns: whether nothing is left to send.
    private func sendReceipts() async -> Bool {
        guard store.contents.registration.confirmed != nil else { return true }
        for _ in 0..<AppLimits.pendingReceipts / AppLimits.receiptsPerBatch {
            let batch = store.contents.policy.receipts.batch(at: clock.now)
            guard !batch.isEmpty, let identity = store.identity else { break }
            let requestedAt = clock.now
            do {
                let answer = try await service.send(batch, as: identity)
                store.update { $0.policy.receipts.settled(batch) }
                await apply(answer, askedAt: requestedAt)
            } catch {
                failed(error, .receipts)
                if await registerAgainIfForgotten() { continue }
                guard error.isFinal, !error.isUnknownInstallation else { return false }
                // The service will never accept these: keeping them would hold up all that follow.
                store.update { $0.policy.receipts.settled(batch) }
            }
        }
        return store.contents.policy.receipts.pending.isEmpty
    }

    /// Registers anew if the service does not know this installation any more.
    ///
    /// - Returns: whether the service had forgotten it and knows it again.
    private func registerAgainIfForgotten() async -> Bool {
        guard store.contents.registration.confirmed == nil else { return false }
        await register()
        return store.contents.registration.confirmed != nil
    }

    /// Carries out what an answer of the service says: its clock, removals, the badge, and to which token it sends.
    ///
    /// - Parameters:
    ///   - answer: the service's.
    ///   - askedAt: the phone's clock when the request was sent.
    func apply(_ answer: SyncAnswer, askedAt: Timestamp) async {
        store.update { [now = clock.now] in $0.policy.time.heard(answer.now, askedAt: askedAt, at: now) }
        await notificationQueue.run { [self] in
            await carryOut(.removalsCame(answer.removals.map(PushRemoval.init), besides: nil))
            if let unread = answer.unread { await setBadge(unread, composedAt: answer.now) }
        }
        guard !hasLeftCopy,
            store.contents.registration.isShared(serviceToken: answer.tokenEnd, deviceToken: deviceToken)
        else { return }
        hasLeftCopy = true
        configuration.report(.installationWasCopied)
        renewIdentity()
        startReconciling()
    }
}
