import CarillonCore
import Foundation
import Logging
import ServiceLifecycle
import Synchronization
import UnixSignals

/// Reads the configuration file anew when it has changed, and at each `SIGHUP`.
///
/// Settings that can change while the service runs hold at once; the log names those that need a restart. If the file has a
/// fault, the log tells it and the former settings stay.
struct SettingsWatch: Service {
    /// The settings that the service has, and the state of the file when they were read.
    private struct State {
        var arguments: ServeArguments
        var text: String?
    }

    private let state: SharedState
    private let clock: any CarillonClock
    private let logger: Logger
    private let adjust: @Sendable (ServeArguments) throws -> Void

    /// Creates a watch.
    ///
    /// - Parameters:
    ///   - arguments: the arguments of the running command, with a configuration file.
    ///   - clock: the clock for the interval between two looks at the file.
    ///   - logger: the log for changes and faults.
    ///   - adjust: takes over changed settings. It throws an error whose description names the fault, if a value is wrong.
    init(
        _ arguments: ServeArguments, clock: any CarillonClock, logger: Logger,
        adjust: @escaping @Sendable (ServeArguments) throws -> Void
    ) {
        state = SharedState(State(arguments: arguments, text: arguments.fileText))
        (self.clock, self.logger, self.adjust) = (clock, logger, adjust)
    }

    /// A lock that can be held by a value that is copied.
    private final class SharedState: Sendable {
        let value: Mutex<State>

        init(_ state: State) { value = Mutex(state) }
    }

    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sighup)
        try? await cancelWhenGracefulShutdown {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for await _ in signals { read(isAsked: true) } }
                group.addTask {
                    while true {
                        try await clock.sleep(for: CommandLimits.changedFileInterval)
                        read(isAsked: false)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    /// Reads the file anew.
    ///
    /// - Parameter isAsked: whether to read and log although the file is unchanged, because a person has asked for it.
    func read(isAsked: Bool) {
        state.value.withLock { state in
            let text = state.arguments.fileText
            guard isAsked || text != state.text else { return }
            state.text = text
            let path = state.arguments.file ?? ""
            do {
                let now = try state.arguments.readAgain()
                let change = SettingsChange(from: state.arguments.given, to: now.given)
                try adjust(now)
                state.arguments = now
                tell(change, path)
            } catch {
                logger.error(
                    "the configuration file has a fault, so the former settings stay",
                    metadata: ["file": "\(path)", "fault": "\(error)"])
            }
        }
    }

    private func tell(_ change: SettingsChange, _ path: String) {
        if change.adjusted.isEmpty, change.needsRestart.isEmpty {
            logger.notice("the configuration file has no changed settings", metadata: ["file": "\(path)"])
        }
        if !change.adjusted.isEmpty {
            logger.notice("changed settings hold now", metadata: ["settings": "\(list(change.adjusted))"])
        }
        if !change.needsRestart.isEmpty {
            logger.warning(
                "changed settings hold after a restart only", metadata: ["settings": "\(list(change.needsRestart))"])
        }
    }

    private func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}
