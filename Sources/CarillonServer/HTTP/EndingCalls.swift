import CarillonCore
import ServiceLifecycle

/// A server whose shutdown takes a bounded time: requests in progress get some time to finish, then all connections are closed.
struct EndingCalls<Server: Service>: Service {
    let server: Server
    let connections: OpenConnections
    let clock: any CarillonClock

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await server.run()
        } onGracefulShutdown: {
            _ = clock.schedule(after: ServiceLimits.lastCalls) { connections.closeAll() }
        }
    }
}
