import CarillonCore
import ServiceLifecycle

/// Takes the counts of the APNs clients over into the metrics, every few seconds.
struct ClientWatch: Service {
    let service: ServiceContext
    let sender: any NotificationSender

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                service.metrics.client.update(await sender.clientTally())
                try await service.clock.sleep(for: ServiceLimits.clientReadingInterval)
            }
        }
    }
}
