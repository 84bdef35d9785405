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
            // Not print, which a pipe would hold back.
            FileHandle.standardOutput.write(Data("\(announcement)\n".utf8))
        }
        try? await gracefulShutdown()
        await simulator.shutdown()
    }
}
