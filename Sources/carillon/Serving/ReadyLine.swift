import CarillonServer
import Foundation
import ServiceLifecycle

/// Prints the service's address once the service listens, or that a sender has started; scripts wait for this line.
struct ReadyLine: Service {
    let service: CarillonService
    /// `nil` for a process that only sends.
    let host: String?

    static let prefix = "Carillon is ready at "
    static let sender = "Carillon is ready to send"

    func run() async throws {
        // The service runs on even when its standard output is closed.
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
