import Foundation
import ServiceLifecycle

/// Runs until standard input closes, which also happens when the parent process dies.
struct StandardInputWatch: Service {
    func run() async throws {
        let (closed, continuation) = AsyncStream.makeStream(of: Void.self)
        FileHandle.standardInput.readabilityHandler = { handle in
            // Does not use `availableData`, which ends the process if reading fails, for instance from a socket that was reset.
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(handle.fileDescriptor, &bytes, bytes.count)
            guard count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) else { return }
            handle.readabilityHandler = nil
            continuation.finish()
        }
        await cancelWhenGracefulShutdown {
            for await _ in closed {}
        }
    }
}
