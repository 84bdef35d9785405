import CPostgreSQL
import CarillonCore
import Foundation
import Synchronization

/// Exchanges announcements (``StoreAnnouncement``) with other processes through a PostgreSQL server, on its own connection and
/// thread.
///
/// At most once every few milliseconds, the listener sends the waiting announcements of this process. It sends one `NOTIFY`
/// ([PostgreSQL](https://www.postgresql.org/docs/current/sql-notify.html)) for each kind of announcement.
///
/// If the connection is lost, the listener makes a new one. Because announcements of other processes may have been lost
/// meanwhile, the listener then acts as if one of each kind had arrived.
final class PostgreSQLListener: Sendable {
    private struct State {
        var pending: Set<StoreAnnouncement> = []
        var isRunning = false
        var isClosed = false
    }

    private let url: String
    private let hub = EventHub<StoreAnnouncement>(backlogLimit: 16, overflow: .losesOldest)
    private let state = Mutex(State())
    private let bell = Bell()

    /// Makes a listener for one server.
    ///
    /// The listener connects only when a caller calls ``announcements()``.
    ///
    /// - Parameter url: any address that libpq accepts.
    init(url: String) { self.url = url }

    func announcements() -> AsyncStream<StoreAnnouncement> {
        let stream = hub.subscribe() ?? AsyncStream { $0.finish() }
        let starts = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning && !state.isClosed
        }
        if starts {
            let thread = Thread { [self] in run() }
            thread.name = "carillon.postgresql.listen"
            thread.start()
        }
        return stream
    }

    /// Queues an announcement to other processes and returns at once.
    ///
    /// The listener sends the announcement soon. If no caller in this process has called ``announcements()``, the listener does
    /// not run, and this function does nothing.
    func announce(_ announcement: StoreAnnouncement) {
        let isFirst = state.withLock { state in
            guard state.isRunning, state.pending.insert(announcement).inserted else { return false }
            return state.pending.count == 1
        }
        if isFirst { bell.ring() }
    }

    func close() {
        state.withLock { $0.isClosed = true }
        bell.ring()
        hub.finish()
    }

    private var isClosed: Bool { state.withLock(\.isClosed) }

    // MARK: The thread

    private func run() {
        var failures = 0
        while !isClosed {
            do {
                let handle = try PostgreSQLHandle(url: url)
                let channel = try handle.text("SELECT \(Self.channel)")
                try handle.run("LISTEN \(channel)")
                failures = 0
                for announcement in StoreAnnouncement.allCases { hub.publish { announcement } }
                try listen(handle, channel)
            } catch {
                failures += 1
                let wait = StoreLimits.listeningBackoff.wait(failures: failures).wholeMilliseconds
                bell.wait(atMost: Int32(clamping: wait))
            }
        }
    }

    /// The SQL expression for the name of the `NOTIFY` channel on which processes exchange announcements.
    ///
    /// Each schema has its own channel. PostgreSQL itself separates the channels of different databases.
    static let channel = "'carillon_' || to_hex(hashtext(current_schema()))"

    private func listen(_ handle: PostgreSQLHandle, _ channel: String) throws {
        while !isClosed {
            for text in try handle.notifications() {
                if let announcement = StoreAnnouncement(rawValue: text) { hub.publish { announcement } }
            }
            let hasSent = try sendPending { try handle.run("NOTIFY \(channel), '\($0.rawValue)'") }
            if hasSent {
                // Announcements that arrive during the pause are sent together.
                bell.pause(milliseconds: StoreLimits.announcementMilliseconds)
            } else {
                bell.wait(for: handle.socket)
            }
        }
    }

    /// Sends the waiting announcements of this process.
    ///
    /// An announcement that cannot be sent waits again, so that the next connection sends it.
    ///
    /// - Parameter send: sends one announcement.
    /// - Returns: whether an announcement waited.
    /// - Throws: the errors of `send`.
    func sendPending(_ send: (StoreAnnouncement) throws -> Void) throws -> Bool {
        let pending = state.withLock { state in
            defer { state.pending = [] }
            return state.pending
        }
        var unsent = pending
        do {
            for announcement in pending {
                try send(announcement)
                unsent.remove(announcement)
            }
        } catch {
            state.withLock { $0.pending.formUnion(unsent) }
            throw error
        }
        return !pending.isEmpty
    }
}

/// A pipe with which one thread wakes another that waits for data on a socket.
private final class Bell: Sendable {
    private let ends: (reading: Int32, writing: Int32)

    init() {
        var pair: [Int32] = [-1, -1]
        // Without a pipe, the waits below last until their time-outs.
        if pipe(&pair) == 0 {
            for end in pair {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
        }
        ends = (pair[0], pair[1])
    }

    deinit {
        close(ends.reading)
        close(ends.writing)
    }

    func ring() {
        var byte: UInt8 = 1
        _ = write(ends.writing, &byte, 1)
    }

    /// Waits until another thread calls ``ring()``, the socket has data to read, or the given time is over.
    func wait(for socket: Int32 = -1, atMost milliseconds: Int32 = 60_000) {
        var files = [
            pollfd(fd: ends.reading, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
        ]
        poll(&files, nfds_t(files.count), milliseconds)
        var rings = [UInt8](repeating: 0, count: 64)
        while read(ends.reading, &rings, rings.count) > 0 {}
    }

    /// Waits for the whole time, even if another thread calls ``ring()``.
    func pause(milliseconds: Int32) { poll(nil, 0, milliseconds) }
}

extension PostgreSQLHandle {
    fileprivate var socket: Int32 { PQsocket(handle) }

    /// Reads the payloads of the `NOTIFY` messages that other sessions have sent.
    fileprivate func notifications() throws -> [String] {
        guard PQconsumeInput(handle) == 1, isOpen else {
            throw PostgreSQLError(state: PostgreSQLError.connectionLost, description: "the connection was closed")
        }
        var texts: [String] = []
        while let notification = PQnotifies(handle) {
            if notification.pointee.be_pid != PQbackendPID(handle), let text = notification.pointee.extra {
                texts.append(String(cString: text))
            }
            PQfreemem(notification)
        }
        return texts
    }
}
