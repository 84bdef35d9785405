import CarillonServer
import Foundation
import ServiceLifecycle

/// Prints the service's address once the service listens, or a line once a sender has started; scripts wait for it.
package struct ReadyLine: Service {
    private let service: CarillonService
    private let host: String?

    package static let prefix = "Carillon is ready at "
    package static let sender = "Carillon is ready to send"

    /// - Parameters:
    ///   - service: the service whose port is printed.
    ///   - host: the address on which it listens; `nil` for a process that only sends.
    package init(service: CarillonService, host: String?) { (self.service, self.host) = (service, host) }

    package func run() async throws {
        // The service keeps running even if its standard output is closed.
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
