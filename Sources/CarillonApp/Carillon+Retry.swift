import CarillonCore
import CarillonMessaging

/// What becomes of a request to the service that failed.
extension Carillon {
    /// The requests to the service, each by method and collection.
    enum Request: String {
        case register = "POST devices"
        case change = "PATCH devices"
        case signOut = "DELETE devices"
        case sync = "GET devices"
        case receipts = "POST receipts"
        case inbox = "GET inbox"
        case read = "POST read"
    }

    /// Reports a request that failed, and decides when what it was to say may be sent again.
    ///
    /// A request that only asks (removals, inbox) is made again at the next launch, push or entering of the foreground.
    func failed(_ error: any Error, _ request: Request) {
        configuration.report(.serviceFailed(request: request.rawValue, reason: "\(error)"))
        let serviceError = error as? ServiceCallError
        let isUnknown = request != .register && serviceError?.isUnknownInstallation == true
        let noAnswer = serviceError?.isMissingAnswer ?? false
        let jitter = store.chance()
        func fail(_ backoff: inout RetryState) {
            backoff.failed(at: clock.now, noAnswer: noAnswer, retryAfter: serviceError?.retryAfter, jitter: jitter)
        }
        store.update { contents in
            if isUnknown { contents.registration.wasForgotten() }
            switch request {
            case .register, .change, .signOut:
                if !isUnknown { fail(&contents.registration.backoff) }
            case .receipts:
                if !isUnknown { fail(&contents.policy.receipts.backoff) }
            case .sync, .inbox, .read: break
            }
        }
        if request == .read { store.updateInbox { fail(&$0.backoff) } }
        if request == .register, serviceError?.isConflict == true { renewIdentity() }
        scheduleRetry()
    }

    /// Takes a new identity, because the service knows this installation's id with another secret, or another phone has it too.
    func renewIdentity() {
        store.renewIdentity()
        store.update { $0.registration.wasForgotten() }
    }

    /// Reconciles again when the first back-off ends, if the app is still running then.
    func scheduleRetry() {
        let contents = store.contents
        let moments = [
            contents.registration.backoff.notBefore, contents.policy.receipts.backoff.notBefore,
            store.inbox.backoff.notBefore,
        ]
        guard let moment = moments.compactMap(\.self).min() else { return }
        retry?.cancel()
        retry = clock.schedule(at: moment) { [weak self] in
            onMainThread { self?.startReconciling() }
        }
    }
}
