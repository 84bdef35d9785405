import CarillonSimulator
import Foundation
import ServiceLifecycle

/// Keeps a simulator running until the process is asked to end.
package struct SimulatorService: Service {
    private let simulator: APNsSimulator
    private let announcement: String?

    /// Creates a service that runs a simulator.
    ///
    /// - Parameters:
    ///   - simulator: the simulator, which is shut down with the process.
    ///   - announcement: the line to print when the process is ready and handles its signals; scripts wait for this
    ///     line. The default, `nil`, prints nothing.
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
