import CarillonCore
import ServiceLifecycle

/// Looks every few seconds for credentials that have changed, has them tried at once, and tells `/healthz` of refused ones.
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
                service.health.update(refused: await sender.refusedCredentials())
                try await service.clock.sleep(for: ServiceLimits.changedCredentialInterval)
            }
        }
    }
}
