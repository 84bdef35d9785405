import CarillonCore
import ServiceLifecycle

/// Checks every few seconds whether credentials of apps have changed.
///
/// The sender tries a changed credential at once. If APNs refuses a credential, the watch reports this to `/healthz`.
struct CredentialChangeWatch: Service {
    let service: ServiceContext
    let sender: any NotificationSender

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                let changed = await sender.changedCredentials()
                if !changed.isEmpty {
                    service.changedCredentials.withLock { $0.formUnion(changed) }
                    service.signal.wake()
                }
                service.health.forget(await sender.takeRemovedApps())
                service.health.update(refused: await sender.refusedCredentials())
                try await service.clock.sleep(for: ServiceLimits.changedCredentialInterval)
            }
        }
    }
}
