import CarillonServer
import CommandSupport
import Foundation
import ServiceLifecycle

/// Prints a line to standard output when the push service is ready; scripts wait for this line.
///
/// The line contains the service's address; for a process that only sends pushes, it says that the process is ready to send.
package struct ReadyLine: Service {
    private let service: CarillonService
    private let host: String?
    private let operatorHost: String?

    package static let prefix = "Carillon is ready at "
    package static let operatorPrefix = "Operators are served at "
    package static let sender = "Carillon is ready to send"

    /// Creates the task that prints the ready line.
    ///
    /// - Parameters:
    ///   - service: the push service.
    ///   - host: the address on which the push service listens; `nil` for a process that only sends, and so has no address.
    ///   - operatorHost: the separate address for backends and operators, printed on a line of its own before the ready line.
    ///     With `nil`, the default, only the ready line is printed.
    package init(service: CarillonService, host: String?, operatorHost: String? = nil) {
        (self.service, self.host, self.operatorHost) = (service, host, operatorHost)
    }

    package func run() async throws {
        // The service keeps running even if its standard output is closed.
        if let operatorHost, let port = try? await service.operatorPort() {
            try? StandardOutput.write("\(Self.operatorPrefix)http://\(operatorHost):\(port)")
        }
        if let host {
            if let port = try? await service.boundPort() {
                try? StandardOutput.write("\(Self.prefix)http://\(host):\(port)")
            }
        } else {
            try? StandardOutput.write(Self.sender)
        }
        try? await gracefulShutdown()
    }
}
