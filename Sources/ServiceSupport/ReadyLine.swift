import CarillonCore
import CarillonServer
import CommandSupport
import Foundation
import ServiceLifecycle

/// Prints a line to standard output when the push service is ready; scripts wait for this line.
///
/// The line contains the service's address, or the path of its Unix socket after `unix:`; for a process that only sends pushes, it says that the process is ready to send.
package struct ReadyLine: Service {
    private let service: CarillonService
    private let host: String?
    private let socket: String?
    private let operatorHost: String?
    private let schemes: (own: String, operators: String)

    package static let prefix = "Carillon is ready at "
    package static let operatorPrefix = "Operators are served at "
    package static let sender = "Carillon is ready to send"

    /// Creates the task that prints the ready line.
    ///
    /// - Parameters:
    ///   - service: the push service.
    ///   - host: the address on which the push service listens; `nil` if it listens on no port, as a process that only sends.
    ///   - socket: the path of the Unix socket on which the push service listens. The default, `nil`, is none.
    ///   - operatorHost: the separate address for backends and operators, printed on a line of its own before the ready line.
    ///     With `nil`, the default, only the ready line is printed.
    ///   - isSecure: whether the push service speaks TLS at `host`. The default is false.
    ///   - operatorIsSecure: whether the push service speaks TLS at `operatorHost`. The default is false.
    package init(
        service: CarillonService, host: String?, socket: String? = nil, operatorHost: String? = nil,
        isSecure: Bool = false, operatorIsSecure: Bool = false
    ) {
        (self.service, self.host, self.socket, self.operatorHost) = (service, host, socket, operatorHost)
        schemes = (isSecure ? "https" : "http", operatorIsSecure ? "https" : "http")
    }

    package func run() async throws {
        // The service keeps running even if its standard output is closed.
        for line in (try? await lines()) ?? [] { try? StandardOutput.write(line) }
        try? await gracefulShutdown()
    }

    /// Waits until the service has started and all its listeners are bound, and returns the lines to print.
    ///
    /// - Throws: an error if the service ends before.
    private func lines() async throws -> [String] {
        try await service.untilStarted()
        var lines: [String] = []
        if let operatorHost {
            let place = URLAuthority.text(host: operatorHost, port: try await service.operatorPort())
            lines.append("\(Self.operatorPrefix)\(schemes.operators)://\(place)")
        }
        var places: [String] = []
        if let host {
            let place = URLAuthority.text(host: host, port: try await service.boundPort())
            places.append("\(schemes.own)://\(place)")
        }
        if let socket {
            try await service.untilSocketListens()
            places.append("unix:\(socket)")
        }
        return lines + [places.isEmpty ? Self.sender : Self.prefix + places.joined(separator: " and at ")]
    }
}
