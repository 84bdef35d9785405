import ArgumentParser
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation

/// The arguments of `carillon serve`, including the settings from environment variables and from the configuration
/// file.
///
/// These settings become options, so ArgumentParser checks a value alike in each source.
struct ServeArguments: Sendable, Hashable {
    /// The arguments of the running command; `nil` in a test that parses the command without ``ServeArguments``.
    @TaskLocal static var current: ServeArguments?

    /// The arguments for ArgumentParser, without the command's name.
    let arguments: [String]
    /// The settings that take effect, from the command line, the environment and the configuration file.
    let given: [GivenSetting]
    /// The path of the configuration file; `nil` for none.
    let file: String?
    /// The text of the configuration file as this value has read it; `nil` if there is no file.
    let text: String?
    private let commandLine: [String]
    private let environment: [String: String]

    /// Reads the environment and the configuration file.
    ///
    /// - Parameters:
    ///   - commandLine: the arguments after `serve`.
    ///   - environment: the environment variables.
    /// - Throws: an error whose description names the variable or the line of the file, if a setting is unknown.
    init(commandLine: [String], environment: [String: String]) throws {
        (self.commandLine, self.environment) = (commandLine, environment)
        let typed = Self.typed(commandLine)
        let file = Self.file(typed, environment)
        let variables = try Self.settings(in: environment)
        let text = try file.map { try CommandFile.text(at: $0, option: "--config") }
        let lines = try file.flatMap { file in try text.map { try SettingsFile($0, path: file).settings } } ?? []
        (self.file, self.text) = (file, text)
        given = GivenSetting.winners(of: typed + variables + lines)
        let others = given.filter { $0.place != .commandLine }
        arguments = try others.flatMap { try ServeSetting.byName[$0.name]?.options($0.values) ?? [] } + commandLine
    }

    /// The configuration file's text as it is now; `nil` if there is no file or it cannot be read.
    var fileText: String? { file.flatMap { try? CommandFile.text(at: $0, option: "--config") } }

    /// Reads the configuration file as it is now, together with the command line and environment of this start.
    ///
    /// - Throws: an error whose description names the faulty line of the file.
    func readAgain() throws -> ServeArguments {
        try ServeArguments(commandLine: commandLine, environment: environment)
    }

    /// Returns whether the arguments ask for the help or the version, which need no settings.
    static func asksForHelp(_ commandLine: [String]) -> Bool {
        !Set(commandLine).isDisjoint(with: ["-h", "--help", "-help", "--version", "--experimental-dump-help"])
    }

    /// Returns whether the log is JSON, as far as the settings can be read: another one may have a fault.
    static func asksForJSON(_ commandLine: [String], _ environment: [String: String]) -> Bool {
        let (name, typed) = ("log-format", Self.typed(commandLine))
        let variable = environment[ServeSetting.variablePrefix + "LOG_FORMAT"]?.trimmed.nonEmpty
        if let value = typed.last(where: { $0.name == name })?.values.first ?? variable { return value == "json" }
        let text = file(typed, environment).flatMap { try? CommandFile.text(at: $0, option: "--config") }
        return text?.contains(/(?m)^log-format: *["']?json\b/) ?? false
    }

    /// Returns the path of the configuration file; `nil` for none.
    private static func file(_ typed: [GivenSetting], _ environment: [String: String]) -> String? {
        typed.last { $0.name == ServeSetting.file }?.values.first ?? environment[fileVariable]?.nonEmpty
    }

    /// Returns whether Kubernetes has made an environment variable for a service whose name begins like the settings'
    /// variables, such as `carillon-serve`
    /// ([Kubernetes](https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables)).
    ///
    /// A variable such as `CARILLON_SERVE_PORT` is also a setting's name; its value tells the two apart.
    private static func isOfKubernetes(_ variable: String, _ value: String) -> Bool {
        variable.contains(/_SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)$/)
            || variable.contains(/_PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/)
            || (variable.hasSuffix("_PORT") && value.contains(/^(tcp|udp|sctp):\/\//))
    }

    private static let fileVariable = ServeSetting.variablePrefix + "CONFIG"

    /// Returns the options of a command line as settings with their values.
    private static func typed(_ commandLine: [String]) -> [GivenSetting] {
        var found: [GivenSetting] = []
        let words = commandLine.prefix { $0 != "--" }
        for (index, word) in words.enumerated() where word.hasPrefix("--") {
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            var name = parts.first.map(String.init) ?? ""
            if name.hasPrefix("no-"), ServeSetting.byName[String(name.dropFirst(3))]?.form == .switched {
                name = String(name.dropFirst(3))
            }
            let next = index + 1 < words.count ? [words[index + 1]] : []
            found.append(
                GivenSetting(
                    name: name, values: parts.count > 1 ? [String(parts[1])] : next.filter { !$0.hasPrefix("--") },
                    place: .commandLine))
        }
        return found
    }

    private static func settings(in environment: [String: String]) throws -> [GivenSetting] {
        let known = Dictionary(uniqueKeysWithValues: ServeSetting.all.map { ($0.variable, $0) })
        var faults: [String] = []
        var settings: [GivenSetting] = []
        for (variable, text) in environment.sorted(by: { $0.key < $1.key })
        where variable.hasPrefix(ServeSetting.variablePrefix) && variable != fileVariable && !text.isEmpty
            && !isOfKubernetes(variable, text)
        {
            guard let setting = known[variable] else {
                let advice = variable.nearest(in: known.keys.sorted()).map { "; did you mean \($0)?" } ?? ""
                faults.append("the environment variable \(variable) names no setting\(advice)")
                continue
            }
            let values = setting.form == .list ? text.split(separator: ",").map { $0.trimmed } : [text.trimmed]
            do {
                _ = try setting.options(values)
                settings.append(
                    GivenSetting(name: setting.name, values: values, place: .environment(variable: variable)))
            } catch {
                faults.append("the environment variable \(variable): \(error)")
            }
        }
        guard faults.isEmpty else { throw ValidationError(faults.joined(separator: "\n")) }
        return settings
    }

    /// Returns lines that tell which environment variable or file has set the options that an error message names.
    ///
    /// - Parameter message: the message, which spells options as in `--log-level`.
    /// - Returns: one line for each of these options that was not set on the command line; an empty string if there is none.
    func origins(in message: String) -> String {
        let named = Set(message.matches(of: /--([a-z][a-z-]*[a-z])/).map { String($0.output.1) })
        return given.filter { $0.place != .commandLine && (named.contains($0.name) || named.contains("no-\($0.name)")) }
            .map { "(--\($0.name) is set by \($0.place))" }.joined(separator: "\n")
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

extension StringProtocol {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
