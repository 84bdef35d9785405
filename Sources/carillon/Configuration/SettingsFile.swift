import ArgumentParser
import CarillonCore
import CarillonServer
import Foundation
import Yams

/// The settings in a configuration file: a YAML mapping from the names of settings to their values.
struct SettingsFile: Sendable {
    let settings: [GivenSetting]

    /// Reads the text of a configuration file.
    ///
    /// - Parameters:
    ///   - text: the file's text; an empty text has no settings.
    ///   - path: the file's path, for errors and as the base of relative paths in the file.
    /// - Throws: an error whose description lists every fault with its line.
    init(_ text: String, path: String) throws {
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch {
            throw ValidationError("\(path): this is no YAML: \(Self.text(of: error))")
        }
        var faults: [String] = []
        var settings: [GivenSetting] = []
        for (key, value) in try Self.entries(of: root, path: path) {
            let place = GivenSetting.Place.file(path: path, line: key.mark?.line ?? 1)
            do throws(Fault) {
                settings.append(try Self.setting(key, value, place, folder: Self.folder(of: path)))
            } catch {
                faults.append("\(place): \(error.text)")
            }
        }
        guard faults.isEmpty else { throw ValidationError(faults.joined(separator: "\n")) }
        self.settings = settings
    }

    /// A fault of one setting in the file.
    private struct Fault: Error { let text: String }

    private static func entries(of root: Node?, path: String) throws -> [(Node, Node)] {
        switch root {
        case nil: return []
        case .mapping(let mapping)?: return mapping.map { ($0.key, $0.value) }
        case let scalar? where isNull(scalar): return []
        default:
            throw ValidationError(
                "\(path): expected lines like 'port: 8080', each with the name of a setting and its value")
        }
    }

    private static func setting(
        _ key: Node, _ value: Node, _ place: GivenSetting.Place, folder: URL
    ) throws(Fault) -> GivenSetting {
        guard let name = key.scalar?.string else { throw Fault(text: "the name of a setting is a word") }
        guard let setting = ServeSetting.byName[name] else {
            if name == ServeSetting.file { throw Fault(text: "'config' cannot stand in the file itself") }
            let known = name.nearest(in: ServeSetting.all.map(\.name))
            let advice = known.map { "; did you mean '\($0)'?" } ?? ": 'carillon serve --help' lists the settings"
            throw Fault(text: "there is no setting '\(name)'\(advice)")
        }
        let values = try values(of: value, for: setting).map { setting.isPath ? absolute($0, folder) : $0 }
        // Refuses a word that is neither yes nor no here, where the line is known.
        do { _ = try setting.options(values) } catch { throw Fault(text: "\(name): \(error)") }
        return GivenSetting(name: name, values: values, place: place)
    }

    private static func values(of node: Node, for setting: ServeSetting) throws(Fault) -> [String] {
        switch node {
        case .scalar(let scalar) where !isNull(node): return [scalar.string]
        case .sequence(let sequence) where setting.form == .list:
            let values = sequence.compactMap { isNull($0) ? nil : $0.scalar?.string }
            guard values.count == sequence.count else { throw Fault(text: "\(setting.name): each element is one word") }
            return values
        case .sequence: throw Fault(text: "\(setting.name): expected one value, and not a list")
        case .mapping: throw Fault(text: "\(setting.name): expected a value, and not further names below it")
        default: throw Fault(text: "\(setting.name) has no value: write one, or leave the line out")
        }
    }

    private static func isNull(_ node: Node) -> Bool {
        guard let scalar = node.scalar, scalar.style == .plain else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
    }

    /// Returns the absolute path of a file that the configuration file names.
    ///
    /// A relative path begins at the folder of the configuration file. A reference to an environment variable
    /// (`env:NAME`) and an empty text are returned unchanged.
    private static func absolute(_ path: String, _ folder: URL) -> String {
        let isVariable = path.hasPrefix(CredentialReference.variablePrefix)
        return isVariable || path.isEmpty ? path : URL(fileURLWithPath: path, relativeTo: folder).path
    }

    private static func folder(of path: String) -> URL {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent()
    }

    /// Returns the description of an error of the YAML parser, with its line.
    private static func text(of error: any Error) -> String {
        guard let error = error as? YamlError else { return "\(error)" }
        return "\(error)".split(separator: "\n").joined(separator: " ")
    }
}
