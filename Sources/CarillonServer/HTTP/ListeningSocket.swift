import CarillonCore
import Foundation
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// The Unix socket of a running service: looks whether its place is free, makes the file, and removes it at the end.
final class ListeningSocket: Sendable {
    private struct State {
        /// The lock on the folder, from the look at the file until the service listens.
        var lock: HeldFileLock?
        var isOpen = false
        var failure: (any Error)?
    }

    /// The path to which the server binds its socket.
    var bindingPath: String { file.bindingPath }

    private let file: SocketFile
    private let mode: mode_t
    private let clock: any CarillonClock
    private let logger: Logger
    private let state = Mutex(State())

    init(_ socket: ServiceConfiguration.ListenSocket, clock: any CarillonClock, logger: Logger) {
        (file, mode) = (SocketFile(path: socket.path), mode_t(socket.mode))
        (self.clock, self.logger) = (clock, logger)
    }

    /// Looks whether the place is free, before the server listens.
    ///
    /// - Throws: an error whose description says what to do, if another process listens on the socket, or the service cannot.
    func prepare() async throws {
        let isReplaced = try file.occupant() == .endedProcess
        // Of two services that start at once, the second must see the socket of the first.
        guard let lock = try await lock() else { throw file.failure("another program holds its folder locked") }
        switch try file.occupant() {
        case .none, .endedProcess: break
        case .runningProcess:
            throw file.failure("another process listens there: choose another path, or stop that process")
        }
        if isReplaced {
            logger.notice("the socket of a process that has ended is replaced", metadata: ["socket": "\(file.path)"])
        }
        state.withLock { $0.lock = lock }
    }

    /// Makes the file with its group and permissions, now that the server listens.
    ///
    /// - Returns: whether this was possible; if not, ``check()`` throws the reason.
    func opened() -> Bool {
        let result = Result { try file.admit(mode) }
        state.withLock { state in
            (state.lock, state.isOpen) = (nil, true)
            if case .failure(let error) = result { state.failure = error }
        }
        guard case .success(let group) = result else { return false }
        logger.notice(
            "the service listens on a Unix socket",
            metadata: ["socket": "\(file.path)", "mode": "0\(String(mode, radix: 8))", "group": "\(group)"])
        return true
    }

    /// Removes the file, unless another process has put its own in the file's place.
    func close() async {
        let wasOpen = state.withLock { state in
            defer { (state.lock, state.isOpen) = (nil, false) }
            return state.isOpen
        }
        guard wasOpen, let lock = try? await lock() else { return }
        withExtendedLifetime(lock) {
            if (try? file.occupant()) == .endedProcess { try? file.remove() }
        }
    }

    /// Throws the reason why the file could not be made, if it could not.
    func check() throws { if let failure = state.withLock({ $0.failure }) { throw failure } }

    /// Explains an error of the system that kept the server from listening; any other error is returned unchanged.
    func explaining(_ error: any Error) -> any Error {
        guard !state.withLock({ $0.isOpen }), let error = error as? IOError else { return error }
        return file.failure("the service cannot listen there: \(String(cString: strerror(error.errnoCode)))")
    }

    /// Takes the lock on the folder; returns `nil` if another holder keeps it.
    private func lock() async throws -> HeldFileLock? {
        let deadline = clock.uptime + ServiceLimits.socketFolderPatience
        while true {
            if let lock = try HeldFileLock(folder: file.folder) { return lock }
            guard clock.uptime < deadline else { return nil }
            try await clock.sleep(for: ServiceLimits.socketFolderPause)
        }
    }
}

/// A server on a Unix socket, whose file comes and goes with it.
struct SocketServer<Server: Service>: Service {
    let server: Server
    let socket: ListeningSocket

    func run() async throws {
        try await socket.prepare()
        do {
            try await server.run()
        } catch {
            let explained = socket.explaining(error)
            await socket.close()
            throw explained
        }
        await socket.close()
        try socket.check()
    }
}
