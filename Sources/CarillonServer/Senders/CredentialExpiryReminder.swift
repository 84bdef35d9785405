import CarillonCore
import Logging
import ServiceLifecycle

/// Checks every hour for certificates that expire soon or have expired.
///
/// The reminder reports them to `/healthz` and to the apps' feeds. It logs them at the first check, once a day, and when the list of apps with such
/// certificates changes.
struct CredentialExpiryReminder: Service {
    let service: ServiceContext
    let store: AppCalls
    let sender: any NotificationSender

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            // By the monotonic clock, so that a wall clock that is set back does not silence the reminder.
            var lastSaid: (when: Duration, what: [EndingCredential])?
            while true {
                let all = await sender.credentialEnds(at: service.clock.now)
                let uptime = service.clock.uptime
                service.health.update(all)
                let ending = all.filter { $0.advice != nil }
                let apps = ending.map(\.app)
                if apps != lastSaid?.what.map(\.app)
                    || uptime >= (lastSaid?.when ?? uptime) + ServiceLimits.credentialReminder
                {
                    lastSaid = (uptime, ending)
                    for credential in ending { say(credential) }
                    // Tried again on the next day.
                    if !ending.isEmpty { try? await store.tell(ending, at: service.clock.now) }
                }
                try await service.clock.sleep(for: ServiceLimits.credentialInterval)
            }
        }
    }

    private func say(_ credential: EndingCredential) {
        service.logger.warning(
            "an app's certificate ends soon",
            metadata: ["app": "\(credential.app)", "what": "\(credential.advice ?? "")"])
    }
}
