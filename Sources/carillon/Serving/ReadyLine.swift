import CarillonServer
import Foundation
import ServiceLifecycle

/// Says where the service answers, once it does: the line that scripts and people wait for.
struct ReadyLine: Service {
    let service: CarillonService
    let host: String

    static let prefix = "Carillon is ready at "

    func run() async throws {
        if let port = try? await service.boundPort() {
            // A service whose output nobody reads serves all the same.
            try? StandardOutput.write("\(Self.prefix)http://\(host):\(port)")
        }
        try? await gracefulShutdown()
    }
}
