import CarillonCore
import Foundation
import Logging
import ServiceLifecycle
import Synchronization
import UnixSignals

/// Records the settings in the audit list, and reads the configuration file anew when it has changed, and at each `SIGHUP`.
///
/// Settings that can change while the service runs take effect at once; the log names those that need a restart. If the
/// file has a fault, the log describes it, and the former settings stay in effect.
struct SettingsWatch: Service {
    /// The settings in effect, and the text of the configuration file when it was last read.
    private struct State {
        var arguments: ServeArguments
        var text: String?
    }

    private let state: SharedState
    private let clock: any CarillonClock
    private let logger: Logger
    private let adjust: @Sendable (ServeArguments) throws -> Void
    private let record: @Sendable (ServeArguments) async -> Void

    /// Creates a watch of the configuration file.
    ///
    /// - Parameters:
    ///   - arguments: the arguments of the running command. Without a configuration file, the watch only records them.
    ///   - clock: the clock that measures the interval between two checks of the file.
    ///   - logger: the logger for changes and faults.
    ///   - adjust: a closure that puts changed settings into effect. It throws an error whose description names the
    ///     fault, if a value is wrong.
    ///   - record: a closure that records the settings in the audit list. The watch calls it at its start and after each change.
    init(
        _ arguments: ServeArguments, clock: any CarillonClock, logger: Logger,
        adjust: @escaping @Sendable (ServeArguments) throws -> Void,
        record: @escaping @Sendable (ServeArguments) async -> Void
    ) {
        // The text that the arguments were read from: the file may have changed while the service was starting.
        state = SharedState(State(arguments: arguments, text: arguments.text))
        (self.clock, self.logger, self.adjust, self.record) = (clock, logger, adjust, record)
    }

    /// A class that holds the state and its lock, so that copies of ``SettingsWatch`` share them.
    private final class SharedState: Sendable {
        let value: Mutex<State>

        init(_ state: State) { value = Mutex(state) }
    }

    func run() async throws {
        let arguments = state.value.withLock(\.arguments)
        // Until then, SIGHUP was ignored (`ProgramSignals`).
        let signals = await UnixSignalsSequence(trapping: .sighup)
        await cancelWhenGracefulShutdown { await record(arguments) }
        try? await cancelWhenGracefulShutdown {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for await _ in signals { await look(isAsked: true) } }
                group.addTask {
                    while arguments.file != nil {
                        try await clock.sleep(for: CommandLimits.changedFileInterval)
                        await look(isAsked: false)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    private func look(isAsked: Bool) async {
        if let changed = read(isAsked: isAsked) { await record(changed) }
    }

    /// Reads the configuration file, and puts changed settings into effect.
    ///
    /// - Parameter isAsked: whether a person has asked for it (`SIGHUP`). If not, the function does nothing while the
    ///   file is unchanged.
    /// - Returns: the settings; `nil` if the file was not read or has a fault.
    @discardableResult
    func read(isAsked: Bool) -> ServeArguments? {
        state.value.withLock { state in
            guard let path = state.arguments.file else {
                logger.notice("SIGHUP: this service has no file of settings to read again")
                return nil
            }
            let text = state.arguments.fileText
            guard isAsked || text != state.text else { return nil }
            state.text = text
            do {
                let now = try state.arguments.readAgain()
                let change = SettingsChange(from: state.arguments.given, to: now.given)
                try adjust(now)
                state.arguments = now
                tell(change, path)
                return now
            } catch {
                logger.error(
                    "the configuration file has a fault, so the former settings stay",
                    metadata: ["file": "\(path)", "fault": "\(error)"])
                return nil
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
