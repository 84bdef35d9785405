import ArgumentParser
import CarillonCore
import CarillonSimulator
import Crypto
import Foundation

/// The folder with the files that senders need to use a simulator, and with the simulator's keys.
struct SimulatorDirectory {
    private let folder: URL

    init(path: String) { folder = URL(fileURLWithPath: path, isDirectory: true) }

    var caPath: String { folder.appendingPathComponent("ca.pem").path }
    var summaryPath: String { folder.appendingPathComponent("simulator.json").path }

    func keyPath(keyID: String) -> String { folder.appendingPathComponent("AuthKey_\(keyID).p8").path }

    /// The credentials of an earlier start, so that senders can keep theirs; `nil` when there are none.
    ///
    /// - Throws: a sentence when the folder contains another key or only some of the files: overwriting them would break
    ///   the senders that use them.
    func credentials(keyID: String) throws -> SimulatorCredentials? {
        let paths = [keyPath(keyID: keyID), caPath, caKeyPath]
        let missing = paths.filter { !FileManager.default.fileExists(atPath: $0) }
        if let other = otherKeyID(than: keyID) {
            throw ValidationError(
                "--directory \(folder.path): contains the key \(other), not \(keyID): use --key-id \(other) or another folder"
            )
        }
        guard missing.count < paths.count else { return nil }
        guard missing.isEmpty else {
            throw ValidationError(
                "--directory \(folder.path): \(missing.map(Self.name).joined(separator: " and ")) is missing, but other files of an earlier start exist: restore it or use an empty folder"
            )
        }
        let texts = try paths.map { try CommandFile.text(at: $0, option: "--directory") }
        return SimulatorCredentials(signingKeyPEM: texts[0], caCertificatePEM: texts[1], caPrivateKeyPEM: texts[2])
    }

    /// Creates the folder and checks that it can be written, before anything listens.
    func prepare() throws {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            guard access(folder.path, W_OK) == 0 else { throw CocoaError(.fileWriteNoPermission) }
        } catch {
            throw ValidationError("--directory \(folder.path): cannot be written (\(error.localizedDescription))")
        }
    }

    private func otherKeyID(than keyID: String) -> String? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let ids = names.filter { $0.hasPrefix("AuthKey_") && $0.hasSuffix(".p8") }.map { $0.dropFirst(8).dropLast(3) }
        return ids.contains(keyID[...]) ? nil : ids.min().map(String.init)
    }

    private static func name(_ path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }

    func write(
        _ simulator: APNsSimulator, seed: UInt64, population: InitialDevices = InitialDevices()
    ) throws {
        try prepare()
        do {
            try write(simulator.caCertificatePEM, to: caPath, isSecret: false)
            try write(simulator.signingKeyPEM, to: keyPath(keyID: simulator.keyID), isSecret: true)
            try write(simulator.caPrivateKeyPEM, to: caKeyPath, isSecret: true)
            if !population.fleet.isEmpty {
                try write(population.fleet.joined(separator: "\n") + "\n", to: fleetPath, isSecret: false)
            }
            try summary(of: simulator, seed: seed, population).encoded(pretty: true)
                .write(to: URL(fileURLWithPath: summaryPath), options: .atomic)
        } catch {
            throw ValidationError("--directory \(folder.path): cannot be written (\(error.localizedDescription))")
        }
    }

    /// Replaces the sender's key by one that APNs does not know.
    func replaceKey(of simulator: APNsSimulator) throws {
        try write(P256.Signing.PrivateKey().pemRepresentation, to: keyPath(keyID: simulator.keyID), isSecret: true)
    }

    private var fleetPath: String { folder.appendingPathComponent("device_tokens.txt").path }
    private var caKeyPath: String { folder.appendingPathComponent("ca-key.pem").path }

    private func write(_ text: String, to path: String, isSecret: Bool) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        if isSecret { try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path) }
    }

    private func summary(of simulator: APNsSimulator, seed: UInt64, _ population: InitialDevices) -> JSONValue {
        let tokens = population.tokens
        let topics = simulator.topics.sorted()
        let first = topics.first ?? ""
        return [
            "host": "localhost",
            "port": .int(Int64(simulator.port)),
            "team_id": .string(simulator.teamID),
            "key_id": .string(simulator.keyID),
            "topic": .string(first),
            "topics": .array(topics.map(JSONValue.string)),
            "environment": .string(simulator.environment.rawValue),
            "device_tokens": .array((tokens[first] ?? []).map(JSONValue.string)),
            "device_tokens_by_topic": .object(tokens.mapValues { .array($0.map(JSONValue.string)) }),
            "device_tokens_file": population.fleet.isEmpty ? .null : .string(fleetPath),
            "ca": .string(caPath),
            "key": .string(keyPath(keyID: simulator.keyID)),
            "seed": .string(String(seed)),
            "admin_url": simulator.adminURL.map(JSONValue.string) ?? .null,
        ]
    }
}
