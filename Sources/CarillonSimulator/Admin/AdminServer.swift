import CarillonCore
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// The server of the admin API: plain HTTP/1.1, meant for loopback.
final class AdminServer: Sendable {
    let port: Int
    private let channel: any Channel
    private let connections: ConnectionRegistry

    private init(channel: any Channel, port: Int, connections: ConnectionRegistry) {
        self.channel = channel
        self.port = port
        self.connections = connections
    }

    /// Starts a server that listens for admin requests.
    ///
    /// - Parameters:
    ///   - configuration: the address to listen on, and the names by which requests may call the server.
    ///   - port: the port, 0–65535; 0 takes a free port.
    ///   - logger: logs errors in accepting connections.
    ///   - api: returns the API that answers a request. It returns `nil` while there is no simulator: before the simulator is
    ///     complete, and after the simulator has been released.
    /// - Returns: the listening server.
    /// - Throws: ``SimulatorError`` if the address cannot be bound.
    static func start(
        _ configuration: SimulatorConfiguration, port: Int, logger: Logger, api: @escaping @Sendable () -> AdminAPI?
    ) async throws(SimulatorError) -> AdminServer {
        let connections = ConnectionRegistry()
        let access = LocalAccess(
            names: configuration.hostNames + [configuration.host], takesAddresses: true,
            advice: "Call the admin API by an IP address, as localhost, or by a name of the setting host_names.")
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptPause(logger: logger))
                }
            }
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                let number = connections.add(channel)
                channel.closeFuture.whenComplete { _ in connections.remove(number) }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
                    try channel.pipeline.syncOperations.addHandler(AdminHandler(access: access, api: api))
                }
            }
        do {
            let channel = try await bootstrap.bind(host: configuration.host, port: port).get()
            guard let port = channel.localAddress?.port else { throw ChannelError.unknownLocalAddress }
            return AdminServer(channel: channel, port: port, connections: connections)
        } catch {
            throw .cannotListen("the admin API", host: configuration.host, port: port, error)
        }
    }

    func shutdown() async {
        try? await channel.close().get()
        for channel in connections.channels { try? await channel.close().get() }
    }
}
