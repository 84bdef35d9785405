import Foundation
import SystemPackage

/// A program that goes on running without the process that has started it.
///
/// Foundation's `Process` would link all of Foundation, with ICU's tables, into the simulator.
final class ChildProgram {
    /// The number of the process.
    let number: pid_t
    /// The exit status; `nil` while the process runs or nobody has waited for it.
    private var status: Int32?

    /// Starts a program in a group of its own, with no other files than these.
    ///
    /// - Parameters:
    ///   - path: the program's file.
    ///   - arguments: the arguments, without the program's name.
    ///   - output: the file that becomes standard output. Standard input is empty.
    ///   - log: the path of the file to which standard error is written.
    /// - Throws: `Errno` if the program cannot be started.
    init(_ path: String, _ arguments: [String], output: FileDescriptor, log: String) throws {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        posix_spawn_file_actions_adddup2(&actions, output.rawValue, FileDescriptor.standardOutput.rawValue)
        posix_spawn_file_actions_addopen(
            &actions, FileDescriptor.standardInput.rawValue, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(
            &actions, FileDescriptor.standardError.rawValue, log, O_WRONLY | O_APPEND, 0)
        let files = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? []
        for file in files.compactMap(Int32.init) where file > FileDescriptor.standardError.rawValue {
            posix_spawn_file_actions_addclose(&actions, file)
        }
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var number: pid_t = 0
        let problem = posix_spawn(&number, path, &actions, &attributes, &words, environ)
        guard problem == 0 else { throw Errno(rawValue: problem) }
        self.number = number
    }

    /// Ends the program, unless it has ended, and waits for its end.
    func end() {
        guard status == nil else { return }
        kill(number, SIGTERM)
        _ = wait()
    }

    /// Waits for the end of the program.
    ///
    /// - Returns: its exit status; for an end by a signal, the number of the signal.
    func wait() -> Int32 {
        if let status { return status }
        var ended: Int32 = 0
        while waitpid(number, &ended, 0) < 0, errno == EINTR {}
        let signal = ended & 0x7f
        let result = signal == 0 ? (ended >> 8) & 0xff : signal
        status = result
        return result
    }
}
