import CarillonAPNs
import ServiceLifecycle

/// Keeps an APNs client open until the process is asked to end.
struct APNsClientService: Service {
    let client: APNsClient

    func run() async throws {
        try? await gracefulShutdown()
        await client.shutdown()
    }
}
