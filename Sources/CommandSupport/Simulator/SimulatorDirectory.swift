import ArgumentParser
import CarillonCore
import CarillonSimulator
import Crypto
import Foundation

/// The folder of `carillon apns-simulator`, with its keys and with the files that senders need.
package struct SimulatorDirectory {
    private let folder: URL

    package init(path: String) { folder = URL(fileURLWithPath: path, isDirectory: true) }

    /// Makes a new folder for temporary files, whose name begins with `name`, and returns its path.
    package static func temporary(_ name: String) throws -> String {
        var path = FileManager.default.temporaryDirectory.appendingPathComponent("\(name)-XXXXXX").path.utf8CString
        let made = path.withUnsafeMutableBufferPointer {
            $0.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        guard let made else {
            throw ValidationError("no folder can be made there: \(String(cString: strerror(errno)))")
        }
        return made
    }

    package var caPath: String { folder.appendingPathComponent("ca.pem").path }
    /// The path of the file with what a simulator in the background has written on standard error.
    var logPath: String { folder.appendingPathComponent("simulator.log").path }
    package var summaryPath: String { folder.appendingPathComponent("simulator.json").path }

    package func keyPath(keyID: String) -> String { folder.appendingPathComponent("AuthKey_\(keyID).p8").path }

    /// Loads the keys and the certificate that an earlier run wrote into the folder; returns `nil` if there are none.
    ///
    /// Senders that use these files then need no change.
    ///
    /// - Throws: an error whose description says what to do, if the folder has a key with an id other than `keyID`, or only
    ///   some of the files. The simulator overwrites none of them.
    package func credentials(keyID: String, others: [String] = []) throws -> SimulatorCredentials? {
        let paths = [keyPath(keyID: keyID), caPath, caKeyPath]
        let missing = paths.filter { !FileManager.default.fileExists(atPath: $0) }
        if let other = otherKeyID(than: keyID, others: others) {
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

    /// Creates the folder and checks that it is writable, before the simulator starts to listen.
    package func prepare() throws {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            guard access(folder.path, W_OK) == 0 else { throw CocoaError(.fileWriteNoPermission) }
        } catch {
            throw ValidationError("--directory \(folder.path): cannot be written (\(Self.reason(of: error)))")
        }
    }

    /// Returns the system's words for the error of a file, without a name of the file.
    private static func reason(of error: any Error) -> String {
        let cause = (error as? CocoaError)?.underlying ?? error
        if let cause = cause as? POSIXError { return String(cString: strerror(cause.code.rawValue)) }
        return (error as? CocoaError)?.code == .fileWriteNoPermission ? String(cString: strerror(EACCES)) : "\(error)"
    }

    /// Adds the missing public keys to the value of the setting `further_keys`, and returns the completed value.
    ///
    /// The value is a list of keys. The function derives a missing public key from the private key in the file
    /// `AuthKey_<key id>.p8` of this folder. If the file does not exist, the function creates it with a new private key. A list
    /// element without a usable key id stays as it is.
    package func makeKeys(_ json: JSONValue) throws -> JSONValue {
        guard let list = json.arrayValue else { return json }
        return .array(
            try list.map { item in
                guard var members = item.objectValue, members["public_key"] == nil,
                    let keyID = members["key_id"]?.stringValue, !keyID.utf8.contains(UInt8(ascii: "/"))
                else { return item }
                let path = keyPath(keyID: keyID)
                let key: P256.Signing.PrivateKey
                if FileManager.default.fileExists(atPath: path) {
                    do {
                        key = try P256.Signing.PrivateKey(
                            pemRepresentation: CommandFile.text(at: path, option: "--directory"))
                    } catch {
                        throw ValidationError("\(path): it is not a P-256 key in PEM; restore it or delete it")
                    }
                } else {
                    key = P256.Signing.PrivateKey()
                    try write(key.pemRepresentation, to: path, isSecret: true)
                }
                members["public_key"] = .string(key.publicKey.pemRepresentation)
                return .object(members)
            })
    }

    private func otherKeyID(than keyID: String, others: [String]) -> String? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let ids = names.filter { $0.hasPrefix("AuthKey_") && $0.hasSuffix(".p8") }.map { $0.dropFirst(8).dropLast(3) }
        return ids.contains(keyID[...]) ? nil : ids.filter { !others.contains(String($0)) }.min().map(String.init)
    }

    private static func name(_ path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }

    /// Writes the files that a sender needs.
    ///
    /// - Parameters:
    ///   - simulator: the simulator that the sender is to reach.
    ///   - advertisedHost: the name or address by which it is reached; `nil`, the default, for `localhost`.
    ///   - seed: the seed of the simulator.
    ///   - furtherKeys: the further signing keys that the simulator accepts.
    ///   - population: the devices whose tokens the sender gets.
    ///   - certificateEnd: the end of the client certificates; `nil`, the default, for the simulator's own end.
    /// - Throws: an error if the folder cannot be written, or a certificate cannot be issued.
    package func write(
        _ simulator: APNsSimulator, advertisedHost: String? = nil, seed: UInt64, furtherKeys: [SimulatorKey] = [],
        population: InitialDevices = InitialDevices(), certificateEnd: Timestamp? = nil
    ) throws {
        try prepare()
        do {
            for topic in simulator.topics {
                let certificate = try simulator.issueClientCertificate(topics: [topic], end: certificateEnd)
                try write(certificate.pem, to: certificatePath(topic), isSecret: true)
                try write(
                    certificate.pkcs12(password: Self.certificatePassword), to: certificatePath(topic, "p12"))
            }
            try write(simulator.caCertificatePEM, to: caPath, isSecret: false)
            try write(simulator.signingKeyPEM, to: keyPath(keyID: simulator.keyID), isSecret: true)
            try write(simulator.caPrivateKeyPEM, to: caKeyPath, isSecret: true)
            if !population.fleet.isEmpty {
                try write(population.fleet, to: fleetPath, isSecret: false)
            }
            try summary(of: simulator, at: advertisedHost, seed: seed, furtherKeys, population).encoded(pretty: true)
                .write(to: URL(fileURLWithPath: summaryPath), options: .atomic)
        } catch let error as SimulatorError {
            throw error
        } catch {
            throw ValidationError("--directory \(folder.path): cannot be written (\(Self.reason(of: error)))")
        }
    }

    /// Writes the certificate that senders must trust, and nothing else.
    package func writeAuthority(_ pem: String) throws { try write(pem, to: caPath, isSecret: false) }

    /// Replaces the sender's key file with a key that the simulator does not know, so that a demonstration can show the
    /// rejection.
    package func replaceKey(of simulator: APNsSimulator) throws {
        try write(P256.Signing.PrivateKey().pemRepresentation, to: keyPath(keyID: simulator.keyID), isSecret: true)
    }

    private var fleetPath: String { folder.appendingPathComponent("device_tokens.txt").path }
    /// The password of the certificate files.
    ///
    /// The password is not a secret, because only the simulator trusts these certificates.
    private static let certificatePassword = "carillon"

    /// Returns the path of the file with a topic's client certificate.
    ///
    /// In the file's name, underscores replace all characters except ASCII letters, digits, `.`, `_` and `-`.
    package func certificatePath(_ topic: String, _ suffix: String = "pem") -> String {
        let name = topic.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_" }
        return folder.appendingPathComponent("certificate_\(String(name)).\(suffix)").path
    }

    private var caKeyPath: String { folder.appendingPathComponent("ca-key.pem").path }

    private func write(_ text: String, to path: String, isSecret: Bool) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        if isSecret { try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path) }
    }

    private func write(_ secret: Data, to path: String) throws {
        try secret.write(to: URL(fileURLWithPath: path), options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    package static func scheme(of simulator: APNsSimulator) -> String {
        simulator.doors.contains(.cleartext) ? "http" : "https"
    }

    private func summary(
        of simulator: APNsSimulator, at advertisedHost: String?, seed: UInt64, _ furtherKeys: [SimulatorKey],
        _ population: InitialDevices
    ) -> JSONValue {
        let tokens = population.tokens
        let topics = simulator.topics.sorted()
        let first = topics.first ?? ""
        let members: [String: JSONValue] = [
            "doors": .array(simulator.doors.map(\.rawValue).sorted().map(JSONValue.string)),
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
            "further_keys": .array(
                furtherKeys.map { key in
                    let path = keyPath(keyID: key.keyID)
                    return [
                        "key_id": .string(key.keyID), "team_id": .string(key.teamID),
                        "key": FileManager.default.fileExists(atPath: path) ? .string(path) : .null,
                    ]
                }),
            "certificate": .string(certificatePath(first)),
            "certificate_p12": .string(certificatePath(first, "p12")),
            "certificate_password": .string(Self.certificatePassword),
            "certificates_by_topic": .object(
                Dictionary(uniqueKeysWithValues: topics.map { ($0, .string(certificatePath($0))) })),
            "seed": .string(String(seed)),
        ]
        return .object(members.merging(Self.addresses(of: simulator, at: advertisedHost)) { $1 })
    }

    /// Returns the members of the summary that say where the simulator is.
    private static func addresses(of simulator: APNsSimulator, at advertisedHost: String?) -> [String: JSONValue] {
        let host = advertisedHost ?? "localhost"
        // Nobody can call an address that stands for all.
        let isEverywhere = ["0.0.0.0", "::"].contains(simulator.host)
        let adminHost = advertisedHost ?? (isEverywhere ? "localhost" : simulator.host)
        let adminURL = simulator.adminPort.map { "http://\(URLAuthority.text(host: adminHost, port: $0))" }
        return [
            "host": .string(host), "port": .int(Int64(simulator.port)),
            "ports": .array(simulator.ports.map { .int(Int64($0)) }),
            "url": .string("\(scheme(of: simulator))://\(URLAuthority.text(host: host, port: simulator.port))"),
            "admin_url": adminURL.map(JSONValue.string) ?? .null,
        ]
    }
}
