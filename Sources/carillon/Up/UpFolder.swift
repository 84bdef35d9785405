import ArgumentParser
import Foundation

/// The folder in which everything of `carillon up` lives: database, keys, phones. Secrets are readable by the owner only.
struct UpFolder: Sendable {
    let url: URL

    init(path: String) { url = URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL }

    var database: String { url.appendingPathComponent("carillon.sqlite").path }
    /// The simulated APNs keeps its keys here, in the form of `carillon apns-simulator`.
    var apns: String { url.appendingPathComponent("apns").path }
    func phone(_ id: String) -> URL { url.appendingPathComponent("phones/\(id)", isDirectory: true) }

    /// Makes the folder and tries to write into it.
    ///
    /// - Throws: one sentence that says what is in the way.
    func prepare() throws {
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            let probe = url.appendingPathComponent(".writable")
            try Data().write(to: probe)
            try FileManager.default.removeItem(at: probe)
        } catch {
            throw UpFailure(
                "--data \(url.path): cannot be written; choose a folder of yours, or change its permissions")
        }
    }

    /// The text that a file has had since the first start; made then.
    func kept(_ name: String, made: () throws -> String) throws -> String {
        if let text = try read(name) { return text }
        let text = try made()
        try write(text, to: name)
        return text
    }

    func read(_ name: String) throws -> String? {
        let file = url.appendingPathComponent(name)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            return try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        } catch {
            throw UpFailure("\(file.path): cannot be read; give it back its permissions, or delete it to start anew")
        }
    }

    func write(_ text: String, to name: String) throws {
        let file = url.appendingPathComponent(name)
        do {
            try Data((text + "\n").utf8).write(to: file, options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        } catch {
            throw UpFailure("\(file.path): cannot be written (\(error.localizedDescription))")
        }
    }
}

/// Why `carillon up` did not start, in one sentence.
struct UpFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
