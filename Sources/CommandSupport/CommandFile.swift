import ArgumentParser
import CarillonAPNs
import CarillonCore
import Foundation
import SystemPackage

/// Reads files whose paths are values of command-line options.
package enum CommandFile {
    /// Reads a file.
    ///
    /// - Throws: an error whose description names the option, the path and the fault.
    package static func data(at path: String, option: String) throws -> Data {
        // Does not use `Data(contentsOf:)`, which cannot read a pipe: a container may pass a key as /dev/fd/3.
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
            return try file.closeAfter { try read(file) }
        } catch {
            throw unreadable(path, option: option)
        }
    }

    /// Reads a file, or standard input if the path is `-`.
    ///
    /// - Throws: an error whose description names the option and the fault. For example, standard input cannot be read if it is
    ///   closed or is a folder.
    package static func dataOrInput(at path: String, option: String) throws -> Data {
        guard path == "-" else { return try data(at: path, option: option) }
        do {
            return try read(.standardInput)
        } catch {
            throw ValidationError("\(option) -: standard input cannot be read")
        }
    }

    /// Checks that there is a file.
    ///
    /// - Throws: an error whose description names the option and the path.
    package static func checkExists(_ path: String, option: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { throw unreadable(path, option: option) }
    }

    private static func read(_ file: FileDescriptor) throws -> Data {
        var data = Data()
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0) }
            guard count > 0 else { return data }
            data += bytes.prefix(count)
        }
    }

    /// Returns the error for a file that cannot be read, or that does not exist.
    package static func unreadable(_ path: String, option: String) -> ValidationError {
        let exists = FileManager.default.fileExists(atPath: path)
        return ValidationError("\(option) \(path): \(exists ? "the file cannot be read" : "there is no such file")")
    }

    /// Reads a JSON object from a file, or from standard input if the path is `-`.
    ///
    /// - Throws: an error whose description names the option, if the file cannot be read or is not a JSON object.
    package static func json(at path: String, option: String) throws -> JSONValue {
        let json: JSONValue
        do {
            json = try JSONValue(parsing: try dataOrInput(at: path, option: option))
        } catch let error as JSONSyntaxError {
            throw ValidationError("\(option) \(path): \(error.description)")
        }
        guard json.objectValue != nil else { throw ValidationError("\(option) \(path): expected a JSON object") }
        return json
    }

    /// Reads a PEM file, whose text may be in UTF-8 or UTF-16.
    package static func pem(at path: String, option: String) throws -> String {
        String(pemFile: try data(at: path, option: option))
    }

    package static func text(at path: String, option: String) throws -> String {
        guard let text = String(data: try data(at: path, option: option), encoding: .utf8) else {
            throw ValidationError("\(option) \(path): the file is not text")
        }
        return text
    }
}
