import Foundation
import ServiceLifecycle

/// Runs until standard input closes, for example because the parent process has ended.
struct StandardInputWatch: Service {
    func run() async throws {
        // A file, or a device such as /dev/null, cannot be watched, and delivers no input later.
        if Self.cannotWait(STDIN_FILENO) { return }
        let (closed, continuation) = AsyncStream.makeStream(of: Void.self)
        FileHandle.standardInput.readabilityHandler = { handle in
            // Does not use `availableData`, which ends the process if reading fails, for instance from a reset
            // socket.
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

    /// Returns whether it is impossible to wait for end of file: the descriptor is closed, or is no pipe, socket or terminal.
    private static func cannotWait(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return true }
        switch status.st_mode & S_IFMT {
        case S_IFIFO, S_IFSOCK: return false
        default: return isatty(descriptor) == 0
        }
    }
}
