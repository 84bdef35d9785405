import ArgumentParser
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation
import ServiceSupport

/// The data folder of `carillon up`: the service's files, the API key, the random seed, APNs' keys and the phones.
struct LocalStackDirectory {
    let service: ServiceDirectory
    private let lock: DirectoryLock

    /// Opens the folder, creating it if it is missing.
    ///
    /// - Throws: ``LocalStackError`` if the folder cannot be used.
    init(path: String) throws {
        do {
            service = try ServiceDirectory(path: path)
        } catch let error as ValidationError {
            throw LocalStackError(error.message)
        }
        lock = try DirectoryLock(service.url)
    }

    var apns: SimulatorDirectory { SimulatorDirectory(path: service.url.appendingPathComponent("apns").path) }
    var phones: URL { service.url.appendingPathComponent("phones", isDirectory: true) }

    /// The file of the podcast feed that Chime loads.
    var episodes: URL { service.url.appendingPathComponent("episodes.json") }

    /// The folder with the apps' texts in several languages.
    var texts: URL { service.url.appendingPathComponent("texts", isDirectory: true) }

    func memory(of phone: String) -> PhoneMemory {
        PhoneMemory(file: phones.appendingPathComponent("\(phone).json"))
    }

    /// Returns the random seed of the simulated APNs, which the folder keeps.
    ///
    /// The seed is equal at every start, so that the phones keep their device tokens.
    func seed() throws -> UInt64 {
        let text = try kept("seed") { String(UInt64.random(in: .min ... .max)) }
        guard let seed = UInt64(text) else {
            throw LocalStackError("\(path(of: "seed")): expected a number; delete the file to get a new one")
        }
        return seed
    }

    /// Returns the API key for the page and for the printed `curl` command.
    ///
    /// The key is created at the first start, and again if the database does not contain it.
    func apiKey(in keys: KeyCalls, for app: AppReference, clock: any CarillonClock) async throws -> String {
        if let key = try read("api.key"), try await keys.apiKeys().contains(where: { $0.opens(key) }) { return key }
        let made = try await APIKeys(in: keys, clock: clock, random: .system, by: .program).make(
            name: "carillon up", scopes: [.send, .read], apps: [app])
        try write(made.key, to: "api.key")
        return made.key
    }

    // MARK: - Files

    private func path(of name: String) -> String { service.url.appendingPathComponent(name).path }

    private func kept(_ name: String, made: () -> String) throws -> String {
        if let text = try read(name) { return text }
        let text = made()
        try write(text, to: name)
        return text
    }

    private func read(_ name: String) throws -> String? {
        let path = path(of: name)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            return try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        } catch {
            throw LocalStackError(
                "\(path): cannot be read; restore its permissions, or delete the file to get a new one")
        }
    }

    private func write(_ text: String, to name: String) throws {
        let path = path(of: name)
        do {
            try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        } catch {
            throw LocalStackError("\(path): cannot be written (\(error.localizedDescription))")
        }
    }
}

extension APIKeyRecord {
    /// Returns whether this record of an API key in the database belongs to `key`, and the key has not been revoked.
    ///
    /// The method compares only the public part of the key, which suffices for a key from the folder's own file.
    fileprivate func opens(_ key: String) -> Bool { key.hasPrefix("ck_\(id)_") && revoked == nil }
}

/// An error whose description explains why `carillon up` did not start.
struct LocalStackError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
