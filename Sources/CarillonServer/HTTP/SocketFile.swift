import Foundation
import NIOCore

/// The file of a Unix socket on which a service listens, or will listen.
package struct SocketFile: Sendable {
    /// The file at the path of a socket, as a service meets it that wants to listen there.
    package enum Occupant: Sendable, Hashable {
        /// There is no file.
        case none
        /// The file of a process that has ended without removing it.
        case endedProcess
        /// The socket of a process that listens on it.
        case runningProcess
    }

    /// The greatest number of bytes that a path may have: 107 on Linux, where the system takes 108 with the closing zero
    /// ([unix(7)](https://man7.org/linux/man-pages/man7/unix.7.html)).
    package static let pathByteLimit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// The path of the file.
    package let path: String

    /// Makes a value that names the file; nothing is looked at.
    ///
    /// - Parameter path: the path, at most ``pathByteLimit`` bytes of UTF-8.
    package init(path: String) { self.path = path }

    /// The path to which a server binds its socket: in the folder, and no longer than ``path``.
    ///
    /// The socket gets its permissions there, and then takes the place of the file at ``path``. NIO removes only this path when the
    /// server ends, and so never the file of another process.
    var bindingPath: String {
        let name = path.hasSuffix("~") ? "_" : "~"
        return path.dropLast() + name
    }

    /// The folder of the file.
    var folder: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

    /// Looks at the path, and connects to the socket that is there, to find out whether a process listens on it.
    ///
    /// - Throws: an error whose description says what to do, if the service can never listen there: for instance the folder is
    ///   missing or may not be written, or the file is no socket.
    package func occupant() throws -> Occupant {
        guard access(folder, F_OK) == 0 else {
            throw failure("its folder is missing or out of reach: create \(folder)")
        }
        guard access(folder, W_OK | X_OK) == 0 else { throw failure("this user may not write in \(folder)") }
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return .none }
        guard attributes[.type] as? FileAttributeType == .typeSocket else {
            throw failure("the file there is no socket: choose another path, or remove the file")
        }
        return try isServed() ? .runningProcess : .endedProcess
    }

    /// Returns whether a process listens on the socket.
    private func isServed() throws -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw failure(reason(errno)) }
        defer { close(descriptor) }
        // A process whose queue is full must not hold up this one.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        let address = try SocketAddress(unixDomainSocketPath: path)
        let outcome = address.withSockAddr { connect(descriptor, $0, socklen_t($1)) }
        guard outcome != 0 else { return true }
        switch errno {
        case ECONNREFUSED, ENOENT: return false
        case EACCES, EPERM: throw failure("the socket there is another user's: choose another path, or remove the file")
        default: return true
        }
    }

    /// Removes the file.
    ///
    /// - Throws: an error whose description has the system's reason.
    func remove() throws {
        guard unlink(path) == 0 || errno == ENOENT else {
            throw failure("the file of an ended process cannot be removed: \(reason(errno))")
        }
    }

    /// Puts the bound socket in the place of the file, after it has said who may connect: the group becomes that of the folder where
    /// the system allows it, and then the mode is set.
    ///
    /// - Returns: the name of the group that the file has.
    func admit(_ mode: mode_t) throws -> String {
        // The folder may be reached by a symbolic link.
        let wanted = try FileManager.default.attributesOfItem(atPath: "\(folder)/.")[.groupOwnerAccountID] as? NSNumber
        if let wanted { _ = lchown(bindingPath, uid_t.max, gid_t(wanted.uint32Value)) }
        guard chmod(bindingPath, mode) == 0, rename(bindingPath, path) == 0 else {
            throw failure("the file cannot be made: \(reason(errno))")
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return attributes[.groupOwnerAccountName] as? String ?? (attributes[.groupOwnerAccountID]).map { "\($0)" }
            ?? "?"
    }

    /// An error whose description names the option and the path.
    func failure(_ reason: String) -> ServiceError { ServiceError(.configuration, "--socket \(path): \(reason)") }

    private func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
}
