import CarillonCore
import CarillonServer
import Foundation
import NIOCore
import NIOPosix

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The health of a running service, decoded from the service's answer to `GET /healthz`.
struct RunningHealth: Decodable {
    private struct Notice: Decodable {
        var app: String?
        var listener: String?
        var reason: String?
        var advice: String

        var subject: String { app ?? listener ?? "the service" }
    }

    private var status: String
    private var reason: String?
    private var alarms: [Notice]
    private var warnings: [Notice]
    private var setAside: Int

    private enum CodingKeys: String, CodingKey {
        case status, reason, alarms, warnings
        case setAside = "set_aside"
    }

    /// Asks the service that listens at an address for its health.
    ///
    /// - Parameters:
    ///   - place: the address at which the service listens.
    ///   - isSecure: whether the service speaks TLS at this address.
    /// - Returns: the health; `nil` if no answer comes in time, or the answer is not that of Carillon's service.
    static func of(_ place: ServeCommand.Place, isSecure: Bool) async -> RunningHealth? {
        // Foundation on Linux cannot call an address of IPv6.
        let host = ["0.0.0.0", "::", "::1"].contains(place.host) ? "localhost" : place.host
        var address = URLComponents()
        (address.scheme, address.host, address.port) = (isSecure ? "https" : "http", host, place.port)
        address.path = "/healthz"
        guard let url = address.url else { return nil }
        let session = URLSession(
            configuration: .ephemeral, delegate: ChallengeRefusal(), delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let request = URLRequest(url: url, timeoutInterval: CommandLimits.healthSeconds)
        guard let (data, _) = try? await session.data(for: request) else { return nil }
        return try? CarillonJSON.decode(RunningHealth.self, from: data)
    }

    /// Asks the service that listens on a Unix socket for its health.
    ///
    /// URLSession cannot call a Unix socket.
    ///
    /// - Parameter socket: the file of the socket.
    /// - Returns: the health; `nil` if no answer comes in time, or the answer is not that of Carillon's service.
    static func of(_ socket: SocketFile) async -> RunningHealth? {
        // The service ends a connection of HTTP/1.0 after its answer.
        let request = ByteBuffer(string: "GET /healthz HTTP/1.0\r\n\r\n")
        guard let answer = try? await answer(to: request, over: socket),
            let head = answer.firstRange(of: Data("\r\n\r\n".utf8))
        else { return nil }
        return try? CarillonJSON.decode(RunningHealth.self, from: Data(answer[head.upperBound...]))
    }

    /// Sends bytes over a Unix socket, and returns all that comes until the other end closes the connection.
    private static func answer(to request: ByteBuffer, over socket: SocketFile) async throws -> Data {
        let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(unixDomainSocketPath: socket.path) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let channel = connection.channel
        let end = channel.eventLoop.scheduleTask(in: .milliseconds(Int64(CommandLimits.healthSeconds * 1000))) {
            channel.close(promise: nil)
        }
        defer { end.cancel() }
        return try await connection.executeThenClose { inbound, outbound in
            try await outbound.write(request)
            return try await inbound.reduce(into: Data()) { $0.append(contentsOf: $1.readableBytesView) }
        }
    }

    /// The health as results of `carillon serve --check`.
    ///
    /// The results are the service's status, its alarms and warnings, and the number of deliveries that it cannot decode.
    var findings: [ServeCheck.Finding] {
        let trouble = alarms.map {
            ServeCheck.Finding(.error, "\($0.subject) cannot send: \($0.reason ?? "unknown"). \($0.advice)")
        }
        let others = warnings.map { ServeCheck.Finding(.warning, "\($0.subject): \($0.advice)") }
        let aside =
            setAside > 0
            ? [ServeCheck.Finding(.warning, "\(setAside) deliveries cannot be decoded: see 'carillon db check'")] : []
        let words = [status, reason].compactMap(\.self).joined(separator: ": ")
        return [.init(status == "ok" ? .ok : .warning, "the running service says: \(words)")] + trouble + others
            + aside
    }
}
