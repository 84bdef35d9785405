import CarillonSimulator
import Foundation
import ServiceLifecycle

/// Keeps a simulator running until the process is asked to end.
struct SimulatorService: Service {
    let simulator: APNsSimulator
    /// Printed once the process also listens to its signals, because scripts wait for it; `nil` for nothing.
    var announcement: String?

    func run() async throws {
        if let announcement {
            // A simulator whose output nobody reads serves all the same.
            try? StandardOutput.write(announcement)
        }
        try? await gracefulShutdown()
        await simulator.shutdown()
    }
}
