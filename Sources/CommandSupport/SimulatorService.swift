import CarillonSimulator
import Foundation
import ServiceLifecycle

/// Keeps a simulator running until the process is asked to end.
package struct SimulatorService: Service {
    private let simulator: APNsSimulator
    private let announcement: String?

    /// - Parameters:
    ///   - simulator: what runs; it is ended with the process.
    ///   - announcement: printed once the process also handles its signals, because scripts wait for this line; `nil`, the
    ///     default, prints nothing.
    package init(simulator: APNsSimulator, announcement: String? = nil) {
        (self.simulator, self.announcement) = (simulator, announcement)
    }

    package func run() async throws {
        if let announcement {
            // The simulator runs on even when its standard output is closed.
            try? StandardOutput.write(announcement)
        }
        try? await gracefulShutdown()
        await simulator.shutdown()
    }
}
