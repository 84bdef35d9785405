import Foundation
import ServiceLifecycle

/// Runs until standard input closes, for example because the parent process has ended.
///
/// A thread of its own reads. With a `readabilityHandler`, Dispatch sometimes ends the program when a pipe is closed
/// ([libdispatch 949](https://github.com/swiftlang/swift-corelibs-libdispatch/issues/949)).
struct StandardInputWatch: Service {
    func run() async throws {
        // A file, or a device such as /dev/null, cannot be watched, and delivers no input later.
        if Self.cannotWait(STDIN_FILENO) { return }
        let (closed, continuation) = AsyncStream.makeStream(of: Void.self)
        Thread.detachNewThread {
            Self.readToEnd(STDIN_FILENO)
            continuation.finish()
        }
        await cancelWhenGracefulShutdown {
            for await _ in closed {}
        }
    }

    /// Reads and discards input until the other side closes the descriptor.
    private static func readToEnd(_ descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 4096)
        var awaited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            // Waits before it reads, because a terminal stops a background process that reads.
            let isReady = poll(&awaited, 1, -1) > 0
            let count = isReady ? read(descriptor, &bytes, bytes.count) : -1
            guard count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR)) else { return }
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
