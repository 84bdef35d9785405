import Foundation
import ServiceLifecycle

/// Ends when standard input closes, which also happens when the parent process dies.
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
