import CarillonSimulator
import Foundation
import ServiceLifecycle

/// Keeps a simulator running until the process is asked to end.
package struct SimulatorService: Service {
    private let simulator: APNsSimulator
    private let announcement: String?

    /// - Parameters:
    ///   - simulator: the simulator to run; it is shut down with the process.
    ///   - announcement: the line to print once the process also handles its signals, because scripts wait for it; `nil`, the
    ///     default, prints nothing.
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
