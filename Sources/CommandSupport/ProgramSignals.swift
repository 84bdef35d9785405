import Foundation
import Synchronization

/// Takes a program's signals from its first line on.
///
/// The kernel discards a signal to process 1, as in a container, unless the program has a handler for it. And SIGHUP, which an
/// init system sends to reload settings, ends any program that has none. So a handler is needed before the start, which may
/// wait for a database. A `ServiceGroup` replaces these handlers as soon as it runs.
package enum ProgramSignals {
    /// The effect of SIGHUP on a program that runs until it is asked to end.
    package enum HangUp: Sendable {
        /// The program ends, as after Ctrl-C: its terminal was closed.
        case ends
        /// The program goes on, and may read its settings again.
        case isIgnored
    }

    /// Takes the signals of a program that runs until it is asked to end.
    ///
    /// During the start, SIGINT and SIGTERM end the program at once with status 0, as they do later. The program has accepted
    /// nothing yet that could be lost.
    ///
    /// - Parameter hangUp: the effect of SIGHUP.
    package static func takeForServer(hangUp: HangUp) {
        for number in [SIGINT, SIGTERM] { handle(number) { _ in _exit(EXIT_SUCCESS) } }
        switch hangUp {
        case .ends: handle(SIGHUP) { _ in _exit(EXIT_SUCCESS) }
        case .isIgnored: _ = Foundation.signal(SIGHUP, SIG_IGN)
        }
    }

    /// Takes the signals of a command that runs to its end, if the command is process 1.
    ///
    /// Then the signals end the command with the exit status that a shell shows for them. In any other process, the system ends
    /// the command itself.
    package static func takeForCommand() {
        guard getpid() == 1 else { return }
        for number in [SIGHUP, SIGINT, SIGTERM] { handle(number) { _exit(128 + $0) } }
    }

    /// The process to end with this one; 0 before it has started, or for none.
    private static let child = Atomic<Int32>(0)
    /// The signal that came last; 0 for none.
    private static let received = Atomic<Int32>(0)

    /// Takes the signals of a command that starts a child process, and has to wait until the child is ready.
    ///
    /// SIGHUP, SIGINT and SIGTERM then end the child, and not the command, which learns of them from ``signal``. The command must
    /// call ``endWithSignal(_:)`` right after the child's start.
    static func takeForParent() {
        // The values are made here, because a handler must not make them.
        child.store(0, ordering: .sequentiallyConsistent)
        received.store(0, ordering: .sequentiallyConsistent)
        for number in [SIGHUP, SIGINT, SIGTERM] {
            handle(number) { number in
                ProgramSignals.received.store(number, ordering: .sequentiallyConsistent)
                let process = ProgramSignals.child.load(ordering: .sequentiallyConsistent)
                if process > 0 { _ = kill(process, SIGTERM) }
            }
        }
    }

    /// Names the child that a signal ends; a signal that came before ends it at once.
    static func endWithSignal(_ process: Int32) {
        child.store(process, ordering: .sequentiallyConsistent)
        if signal != nil { _ = kill(process, SIGTERM) }
    }

    /// The signal that came last since ``takeForParent()``; `nil` for none.
    static var signal: Int32? {
        let number = received.load(ordering: .sequentiallyConsistent)
        return number > 0 ? number : nil
    }

    /// Sets a handler, unless whoever started the program lets it ignore the signal, as `nohup` does.
    private static func handle(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
        let former = Foundation.signal(number, handler)
        if unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
            _ = Foundation.signal(number, SIG_IGN)
        }
    }
}
