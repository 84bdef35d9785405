import CarillonCore
import Logging
import ServiceLifecycle

/// Checks every hour for credentials that end soon, reports them to `/healthz`, and logs them at first and then once a day.
///
/// Every few seconds it looks for credentials that have changed, and has them tried at once.
struct CredentialWatch: Service {
    let service: ServiceContext
    let sender: any NotificationSender

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var nextCheck = service.clock.now
            var lastSaid: (when: Timestamp, what: [EndingCredential])?
            while true {
                let now = service.clock.now
                await lookForChanges()
                guard now >= nextCheck else {
                    try await service.clock.sleep(for: ServiceLimits.changedCredentialInterval)
                    continue
                }
                nextCheck = now + ServiceLimits.credentialInterval
                let ending = await sender.endingCredentials(at: now)
                service.health.update(ending)
                let apps = ending.map(\.app)
                if apps != lastSaid?.what.map(\.app)
                    || now >= (lastSaid?.when ?? now) + ServiceLimits.credentialReminder
                {
                    lastSaid = (now, ending)
                    for credential in ending { say(credential) }
                }
                try await service.clock.sleep(for: ServiceLimits.changedCredentialInterval)
            }
        }
    }

    private func lookForChanges() async {
        let changed = await sender.changedCredentials()
        guard !changed.isEmpty else { return }
        service.changedCredentials.withLock { $0.formUnion(changed) }
        service.signal.wake()
    }

    private func say(_ credential: EndingCredential) {
        service.logger.warning(
            "an app's certificate ends soon",
            metadata: ["app": "\(credential.app)", "what": "\(credential.advice)"])
    }
}
