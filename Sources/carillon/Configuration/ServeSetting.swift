import ArgumentParser
import Foundation

/// A setting of `carillon serve`: an option of the command that a configuration file and an environment variable can also give.
///
/// The options are the only list of settings, so a file, a variable and the command line accept the same names and values.
struct ServeSetting: Sendable, Hashable {
    /// A kind of setting, by the values that the setting takes.
    enum Form: Sendable, Hashable {
        /// A setting with one value, such as a port.
        case value
        /// A setting with any number of values, such as topics.
        case list
        /// A Boolean that an option without a value switches on, such as `--until-stdin-closes`.
        case flag
        /// A Boolean that a pair of options switches on and off, such as `--listen` and `--no-listen`.
        case switched
    }

    /// The option's name without the dashes, which is also the key in a configuration file.
    let name: String
    let form: Form
    /// The word for a value in the help, such as `file`.
    let valueName: String
    let help: String
    /// The default as the help shows it; `nil` for none.
    let standard: String?
    /// The heading of the options' group in the help; `nil` for the first group.
    let section: String?

    /// The environment variable that gives the setting.
    var variable: String { Self.variablePrefix + name.uppercased().replacing("-", with: "_") }

    /// Whether a value is the path of a file or folder.
    var isPath: Bool { ["file", "dir"].contains(valueName) }

    static let variablePrefix = "CARILLON_SERVE_"

    /// The setting that names the configuration file; no file may contain it.
    static let file = "config"

    /// The options that only the command line can give.
    private static let onlyOptions: Set = [file, "check", "help", "version", "experimental-dump-help"]

    /// All settings, in the order of the help.
    static let all: [ServeSetting] = {
        let text = Data(ServeCommand._dumpHelp().utf8)
        guard let tool = try? JSONDecoder().decode(DumpedTool.self, from: text) else {
            preconditionFailure("ArgumentParser describes its options in another form than before")
        }
        let options = tool.command.arguments.filter { !onlyOptions.contains($0.name) }
        let names = Set(options.map(\.name))
        return options.compactMap { option in
            if option.kind == "flag", option.name.hasPrefix("no-"), names.contains(String(option.name.dropFirst(3))) {
                return nil
            }
            return ServeSetting(option, isSwitched: names.contains("no-\(option.name)"))
        }
    }()

    static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    private init(_ option: DumpedTool.Option, isSwitched: Bool) {
        name = option.name
        form =
            switch (option.kind, option.isRepeating) {
            case ("flag", _): isSwitched ? .switched : .flag
            case (_, true): .list
            default: .value
            }
        valueName = option.valueName ?? ""
        help = [option.abstract, option.discussion].compactMap(\.self).joined(separator: " ")
        standard = option.defaultValue
        section = option.sectionTitle
    }

    /// Returns the command-line options that give the setting these values.
    ///
    /// - Parameter values: the values; for a Boolean setting, a word such as `true` or `off`.
    /// - Returns: the options; none for a ``Form/flag`` that is off.
    /// - Throws: an error whose description lists the accepted words, if the setting is a Boolean and the value is no
    ///   such word.
    func options(_ values: [String]) throws -> [String] {
        switch form {
        case .value, .list: return values.map { "--\(name)=\($0)" }
        case .flag: return try values.contains { try Self.isYes($0) } ? ["--\(name)"] : []
        case .switched: return try values.map { try Self.isYes($0) ? "--\(name)" : "--no-\(name)" }
        }
    }

    private static let yes = ["true", "yes", "on", "1"]
    private static let no = ["false", "no", "off", "0"]

    private static func isYes(_ word: String) throws -> Bool {
        let word = word.lowercased()
        guard yes.contains(word) || no.contains(word) else {
            throw ValidationError("expected true or false, and not '\(word)'")
        }
        return yes.contains(word)
    }
}

/// The part of ArgumentParser's description of a command (`--experimental-dump-help`) that this file decodes.
private struct DumpedTool: Decodable {
    struct Command: Decodable { var arguments: [Option] }

    struct Option: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String
        }

        var kind: String
        var names: [Name]
        var isRepeating: Bool
        var valueName: String?
        var abstract: String?
        var discussion: String?
        var defaultValue: String?
        var sectionTitle: String?

        /// The option's long name, without dashes.
        var name: String { names.first { $0.kind == "long" }?.name ?? "" }
    }

    var command: Command
}
