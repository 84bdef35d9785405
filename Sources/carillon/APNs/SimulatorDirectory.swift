import ArgumentParser
import CarillonCore
import CarillonSimulator
import Crypto
import Foundation

/// The folder through which a simulator tells senders how to reach it, and keeps its keys between two starts.
struct SimulatorDirectory {
    private let folder: URL

    init(path: String) { folder = URL(fileURLWithPath: path, isDirectory: true) }

    var caPath: String { folder.appendingPathComponent("ca.pem").path }
    var summaryPath: String { folder.appendingPathComponent("simulator.json").path }

    func keyPath(keyID: String) -> String { folder.appendingPathComponent("AuthKey_\(keyID).p8").path }

    /// What an earlier start left, `nil` where nothing is, so that senders need not be told anew.
    func credentials(keyID: String) throws -> SimulatorCredentials? {
        let paths = [keyPath(keyID: keyID), caPath, caKeyPath]
        guard paths.allSatisfy({ FileManager.default.fileExists(atPath: $0) }) else { return nil }
        let texts = try paths.map { try CommandFile.text(at: $0, option: "--directory") }
        return SimulatorCredentials(signingKeyPEM: texts[0], caCertificatePEM: texts[1], caPrivateKeyPEM: texts[2])
    }

    func write(_ simulator: APNsSimulator, seed: UInt64, tokens: [String: [String]]) throws {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try write(simulator.caCertificatePEM, to: caPath, isSecret: false)
            try write(simulator.signingKeyPEM, to: keyPath(keyID: simulator.keyID), isSecret: true)
            try write(simulator.caPrivateKeyPEM, to: caKeyPath, isSecret: true)
            try summary(of: simulator, seed: seed, tokens: tokens).encoded(pretty: true)
                .write(to: URL(fileURLWithPath: summaryPath), options: .atomic)
        } catch {
            throw ValidationError("--directory \(folder.path): cannot be written (\(error.localizedDescription))")
        }
    }

    /// Puts a key in the place of the one that APNs knows: what a mixed-up file looks like.
    func replaceKey(of simulator: APNsSimulator) throws {
        try write(P256.Signing.PrivateKey().pemRepresentation, to: keyPath(keyID: simulator.keyID), isSecret: true)
    }

    private var caKeyPath: String { folder.appendingPathComponent("ca-key.pem").path }

    private func write(_ text: String, to path: String, isSecret: Bool) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        if isSecret { try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path) }
    }

    private func summary(of simulator: APNsSimulator, seed: UInt64, tokens: [String: [String]]) -> JSONValue {
        let topics = tokens.keys.sorted()
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
            "ca": .string(caPath),
            "key": .string(keyPath(keyID: simulator.keyID)),
            "seed": .string(String(seed)),
            "admin_url": simulator.adminURL.map(JSONValue.string) ?? .null,
        ]
    }
}
