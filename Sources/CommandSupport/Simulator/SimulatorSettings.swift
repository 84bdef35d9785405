import ArgumentParser
import CarillonCore
import CarillonSimulator
import Foundation

/// The settings of `carillon apns-simulator`.
///
/// The file of `--config` overrides the defaults, each `--set` overrides the file, and other options override both.
struct SimulatorSettings {
    private let command: APNsSimulatorCommand

    init(_ command: APNsSimulatorCommand) { self.command = command }

    /// Makes the simulator's configuration from the settings.
    ///
    /// - Parameter files: the folder with the simulator's key files, which a later start uses again. The function creates a key
    ///   file for each key of the setting `further_keys` that has neither a file nor a public key.
    /// - Returns: the configuration of the simulator.
    /// - Throws: an error whose description names the option and what is wrong with its value.
    func configuration(in files: SimulatorDirectory) throws -> SimulatorConfiguration {
        let clock = AdvanceableClock(SystemClock())
        var configuration = SimulatorConfiguration(
            clock: clock, seed: UInt64.random(in: .min ... .max), topics: ["com.example.app"])
        (configuration.port, configuration.adminPort) = (2197, 0)
        var further: JSONValue?
        for (option, members) in try sources() {
            var members = members
            // The keys are made later, because the team's id may come from a later source.
            if let keys = members.removeValue(forKey: "further_keys") { further = keys }
            do {
                try configuration.apply(members)
            } catch {
                throw ValidationError("\(option): \(error.description)")
            }
        }
        applyOptions(to: &configuration)
        if let further {
            do {
                try configuration.apply(["further_keys": try files.makeKeys(further)])
            } catch let error as SimulatorError {
                throw ValidationError(error.description)
            }
        }
        configuration.credentials = try files.credentials(
            keyID: configuration.keyID, others: configuration.furtherKeys.map(\.keyID))
        if configuration.doors.contains(.wellKnown), let earlier = configuration.credentials, earlier != .wellKnown {
            throw ValidationError(
                "--well-known: \(files.caPath) is of an earlier start with keys of its own: use another folder")
        }
        return configuration
    }

    /// Returns the settings in the configuration file and in each `--set`.
    ///
    /// The first value of each pair is the option that gives the settings, for error messages: `--config <path>` or
    /// `--set <name>`.
    private func sources() throws -> [(String, [String: JSONValue])] {
        var sources: [(String, [String: JSONValue])] = []
        if let path = command.config {
            let option = "--config \(path)"
            do {
                let data = try CommandFile.data(at: path, option: "--config")
                guard let members = try JSONValue(parsing: data).objectValue else {
                    throw ValidationError("\(option): it is not a JSON dictionary")
                }
                sources.append((option, members))
            } catch let error as ValidationError {
                throw error
            } catch {
                throw ValidationError("\(option): it is \(error)")
            }
        }
        for text in command.set {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw ValidationError("--set \(text): expected NAME=VALUE")
            }
            let value = (try? JSONValue(parsing: Data(parts[1].utf8))) ?? .string(String(parts[1]))
            sources.append(("--set \(parts[0])", [String(parts[0]): value]))
        }
        return sources
    }

    private func applyOptions(to configuration: inout SimulatorConfiguration) {
        if let host = command.host { configuration.host = host }
        if let advertised = command.advertisedHost { configuration.hostNames.append(advertised) }
        if let port = command.port.first {
            (configuration.port, configuration.furtherPorts) = (port, Array(command.port.dropFirst()))
        }
        if let port = command.adminPort { configuration.adminPort = port }
        if !command.topic.isEmpty { configuration.topics = Set(command.topic) }
        if command.strict { configuration.isStrict = true }
        configuration.doors.formUnion(command.doors)
        if let team = command.teamID { configuration.teamID = team }
        if let key = command.keyID { configuration.keyID = key }
        if let environment = command.environment { configuration.environment = environment }
        if let storage = command.store { configuration.delivery.storage = storage }
        if let expiry = command.expiry { configuration.delivery.expiry = expiry }
        if let limit = command.journal { configuration.journalLimit = limit }
        if let streams = command.streamsBeforeProof { configuration.streamsBeforeProof = streams }
        if let seed = command.seed { configuration.seed = seed }
    }
}
