import CarillonSimulator
import Foundation
import ServiceLifecycle

/// Keeps a simulator running until the process is asked to end.
package struct SimulatorService: Service {
    private let simulator: APNsSimulator
    private let announcement: String?

    /// Creates a service that keeps a simulator running.
    ///
    /// - Parameters:
    ///   - simulator: the simulator. The service shuts it down when the process is asked to end.
    ///   - announcement: the line to print when the process is ready and handles signals; scripts wait for this line.
    ///     The default, `nil`, prints nothing.
    package init(simulator: APNsSimulator, announcement: String? = nil) {
        (self.simulator, self.announcement) = (simulator, announcement)
    }

    package func run() async throws {
        if let announcement {
            // The simulator keeps running even if its standard output is closed.
            try? StandardOutput.write(announcement)
        }
        try? await gracefulShutdown()
        await simulator.shutdown()
    }
}
