import Foundation
import ServiceLifecycle
import Synchronization

/// Runs until standard input closes, for example because the parent process has ended.
///
/// The watch begins when it is made. If standard input closes before the watch runs as a service, the program ends at once: its
/// start may wait for a database, and it has accepted nothing yet.
///
/// A thread of its own reads. With a `readabilityHandler`, Dispatch sometimes ends the program when a pipe is closed
/// ([libdispatch 949](https://github.com/swiftlang/swift-corelibs-libdispatch/issues/949)).
final class StandardInputWatch: Service {
    private let isRunning = Mutex(false)
    private let closed: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (closed, continuation) = AsyncStream.makeStream(of: Void.self)
        // A file, or a device such as /dev/null, cannot be watched, and delivers no input later.
        guard !Self.cannotWait(STDIN_FILENO) else {
            continuation.finish()
            return
        }
        Thread.detachNewThread { [self] in
            Self.readToEnd(STDIN_FILENO)
            if !isRunning.withLock(\.self) { _exit(EXIT_SUCCESS) }
            continuation.finish()
        }
    }

    func run() async throws {
        isRunning.withLock { $0 = true }
        await cancelWhenGracefulShutdown {
            for await _ in self.closed {}
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
