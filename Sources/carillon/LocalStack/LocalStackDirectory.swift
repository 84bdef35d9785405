import ArgumentParser
import CarillonCore
import CarillonServer
import Foundation

/// What `carillon up` keeps beside the service's own files: its API key, the seed of all chance, APNs' keys, the phones.
struct LocalStackDirectory {
    let service: ServiceDirectory
    private let lock: DirectoryLock

    /// - Throws: ``LocalStackError``, one sentence that says what is in the way.
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

    /// The same at every start, so that the phones' device tokens are too.
    func seed() throws -> UInt64 {
        let text = try kept("seed") { String(UInt64.random(in: .min ... .max)) }
        guard let seed = UInt64(text) else {
            throw LocalStackError("\(path(of: "seed")): expected a number; delete the file")
        }
        return seed
    }

    /// The key for the page and for the person's own `curl`; made at the first start, and anew when the database does
    /// not know it.
    func apiKey(in store: any Store, clock: any CarillonClock) async throws -> String {
        let keys = APIKeys(store: store, clock: clock, random: .system)
        if let key = try read("api.key"), try await store.apiKeys().contains(where: { $0.opens(key) }) { return key }
        let made = try await keys.make(name: "carillon up", scopes: [.send, .read])
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
            throw LocalStackError("\(path): cannot be read; give it back its permissions, or delete it to start anew")
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
    /// Whether `key` is the one that this record is about, by its public part; it was made here, so that is enough.
    fileprivate func opens(_ key: String) -> Bool { key.hasPrefix("ck_\(id)_") && revoked == nil }
}

/// Why `carillon up` did not start, in one sentence.
struct LocalStackError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
