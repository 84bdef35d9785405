import CarillonServer
import Foundation
import ServiceLifecycle

/// Prints the service's address once the service listens; scripts wait for this line.
struct ReadyLine: Service {
    let service: CarillonService
    let host: String

    static let prefix = "Carillon is ready at "

    func run() async throws {
        if let port = try? await service.boundPort() {
            // The service runs on even when its standard output is closed.
            try? StandardOutput.write("\(Self.prefix)http://\(host):\(port)")
        }
        try? await gracefulShutdown()
    }
}
