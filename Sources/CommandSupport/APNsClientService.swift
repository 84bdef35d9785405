import CarillonAPNs
import ServiceLifecycle

/// Keeps an APNs client open until the process is asked to end, and then shuts the client down.
package struct APNsClientService: Service {
    private let client: APNsClient

    package init(client: APNsClient) { self.client = client }

    package func run() async throws {
        try? await gracefulShutdown()
        await client.shutdown()
    }
}
