import CarillonCore
import Logging
import ServiceLifecycle

/// Checks every few seconds whether credentials of apps have changed.
///
/// The sender tries a changed credential at once. If APNs refuses a credential, the watch reports this to `/healthz`. The watch
/// also logs apps that were added or removed, because a command in another process does that.
struct CredentialChangeWatch: Service {
    let service: ServiceContext
    let sender: any NotificationSender

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                tell(await sender.changedApps())
                let changed = await sender.changedCredentials()
                if !changed.isEmpty {
                    service.changedCredentials.withLock { $0.formUnion(changed) }
                    service.signal.wake()
                }
                service.health.update(refused: await sender.refusedCredentials())
                try await service.clock.sleep(for: ServiceLimits.changedCredentialInterval)
            }
        }
    }

    private func tell(_ apps: AppChanges?) {
        for topic in apps?.added ?? [] { service.logger.notice("an app was added", metadata: ["app": "\(topic)"]) }
        for topic in apps?.removed ?? [] {
            service.logger.notice("an app was removed", metadata: ["app": "\(topic)"])
        }
    }
}
