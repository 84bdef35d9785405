import Foundation

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
        case .isIgnored: _ = signal(SIGHUP, SIG_IGN)
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

    /// Sets a handler, unless whoever started the program lets it ignore the signal, as `nohup` does.
    private static func handle(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
        let former = signal(number, handler)
        if unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { _ = signal(number, SIG_IGN) }
    }
}
