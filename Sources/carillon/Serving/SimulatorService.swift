import CarillonSimulator
import Foundation
import ServiceLifecycle

/// Keeps a simulator running until the process is asked to end.
struct SimulatorService: Service {
    let simulator: APNsSimulator
    /// Printed once the process also handles its signals, because scripts wait for this line; `nil` prints nothing.
    var announcement: String?

    func run() async throws {
        if let announcement {
            // The simulator runs on even when its standard output is closed.
            try? StandardOutput.write(announcement)
        }
        try? await gracefulShutdown()
        await simulator.shutdown()
    }
}
