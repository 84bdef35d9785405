import Foundation
import ServiceLifecycle

/// Ends when standard input is closed, which the system does for a parent that died.
struct StandardInputWatch: Service {
    func run() async throws {
        let (closed, continuation) = AsyncStream.makeStream(of: Void.self)
        FileHandle.standardInput.readabilityHandler = { handle in
            guard handle.availableData.isEmpty else { return }
            handle.readabilityHandler = nil
            continuation.finish()
        }
        await cancelWhenGracefulShutdown {
            for await _ in closed {}
        }
    }
}
