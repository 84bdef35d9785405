import ArgumentParser
import CarillonAPNs
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation
import Logging
import NIOCore
import NIOPosix
import ServiceSupport

/// Looks at all that a start of `carillon serve` needs, without changing anything.
struct ServeCheck {
    /// A result of the check, for one line.
    struct Finding: Sendable, Hashable {
        enum Kind: String, Sendable {
            case ok, note, warning, error
        }

        let kind: Kind
        let text: String

        init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }
    }

    let command: ServeCommand

    /// Prints one line for each result, and then the verdict.
    ///
    /// - Throws: `ExitCode(1)` if the service would not start or could not send.
    func run() async throws {
        var errors = 0
        func tell(_ findings: [Finding]) throws {
            for finding in findings {
                errors += finding.kind == .error ? 1 : 0
                let kind = finding.kind.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0)
                try StandardOutput.write(kind + finding.text.replacing("\n", with: "\n        "))
            }
        }
        try tell(settings())
        try tell(secret())
        try tell(machine())
        let (findings, apps) = await database()
        try tell(findings)
        try tell(await credentials(apps))
        try tell(await listeners())
        guard errors == 0 else {
            try StandardOutput.write("\(errors) error\(errors == 1 ? "" : "s"): mend what they name before you start")
            throw ExitCode(1)
        }
        try StandardOutput.write("the service would start")
    }

    /// Lists the settings that are not defaults, with the places where they stand.
    private func settings() -> [Finding] {
        guard let arguments = ServeArguments.current else { return [] }
        let given = arguments.given.filter { ServeSetting.byName[$0.name] != nil }
        let lines = given.map { "\($0.name) = \(Self.shown($0)), by \($0.place)" }
        let file = arguments.file.map { " and \($0)" } ?? ""
        let head = "\(given.count) settings from the command line, the environment\(file)"
        return [Finding(.ok, ([head] + lines).joined(separator: "\n"))]
    }

    /// Returns a setting's values without the passwords of addresses.
    private static func shown(_ given: GivenSetting) -> String {
        let values = given.values.map { value in
            guard var address = URLComponents(string: value), address.password != nil else { return value }
            address.password = "…"
            return (address.string ?? given.name).replacing("%E2%80%A6", with: "…")
        }
        return values.joined(separator: ", ")
    }

    private func secret() -> [Finding] {
        do {
            guard let data = command.service.data else {
                guard let file = command.signInSecret else { return [] }
                _ = try ServiceDirectory.secret(in: URL(fileURLWithPath: file))
                return [Finding(.ok, "the secret of sign-in tokens in \(file)")]
            }
            let file = URL(fileURLWithPath: data, isDirectory: true).appending(path: "sign-in.secret")
            guard FileManager.default.fileExists(atPath: file.path) else {
                return [Finding(.note, "\(file.path) is missing: the start creates it")]
            }
            _ = try ServiceDirectory.secret(in: file)
            return [Finding(.ok, "the secret of sign-in tokens in \(file.path)")]
        } catch {
            return [Finding(.error, "\(error)")]
        }
    }

    /// Looks at the disk, and at the number of files that this process may open.
    private func machine() -> [Finding] {
        var findings: [Finding] = []
        if let data = command.service.data {
            let url = URL(fileURLWithPath: data, isDirectory: true)
            var isFolder: ObjCBool = false
            let isThere = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
            let folder = isThere ? url : url.deletingLastPathComponent()
            if isThere, !isFolder.boolValue {
                findings.append(Finding(.error, "--data \(data) is a file, and not a folder"))
            } else if !FileManager.default.isWritableFile(atPath: folder.path) {
                findings.append(
                    Finding(.error, "\(folder.path) is missing or this user may not write there; choose another --data")
                )
            }
            let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
            if let free = attributes?[.systemFreeSize] as? NSNumber {
                let mebibytes = free.int64Value / (1024 * 1024)
                let kind: Finding.Kind = mebibytes < CommandLimits.scarceDisk ? .warning : .ok
                findings.append(Finding(kind, "\(mebibytes) MiB are free on the disk of \(folder.path)"))
            }
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            limit.rlim_max < command.calls.connections
        {
            findings.append(
                Finding(
                    .warning,
                    "this process may open \(limit.rlim_max) files, fewer than --connections \(command.calls.connections): raise the limit ('LimitNOFILE' of the unit, 'ulimit -n')"
                ))
        }
        return findings
    }

    private func database() async -> ([Finding], apps: [AppRecord]?) {
        do {
            let (state, name) = try databaseState()
            switch state {
            case .empty: return ([Finding(.note, "\(name) has no tables: the start creates them")], [])
            case .older:
                return ([Finding(.note, "\(name) has tables of an older version: the start upgrades them")], nil)
            case .current:
                let store = try await command.service.openStore()
                let apps = try await store.apps.all()
                let names = apps.map(\.topic).sorted().joined(separator: ", ")
                return ([Finding(.ok, "\(name): \(apps.count) apps\(names.isEmpty ? "" : ": \(names)")")], apps)
            }
        } catch {
            return ([Finding(.error, "the database: \(error)")], nil)
        }
    }

    private func databaseState() throws -> (DatabaseState, name: String) {
        if let address = try command.service.address() {
            return (try .ofPostgreSQL(at: address), "the PostgreSQL database")
        }
        let path = try ServiceDirectory(path: command.service.data ?? "", creating: false).databasePath
        return (try .ofSQLite(at: path), path)
    }

    // MARK: Credentials

    /// A credential to try: for one app in one environment of APNs.
    private struct Trial: Hashable {
        var topic: String
        var endpoint: APNsEndpoint
        var reference: CredentialReference
    }

    private func credentials(_ apps: [AppRecord]?) async -> [Finding] {
        guard command.role.contains(.sender) else { return [] }
        do {
            let trials = try trials(apps ?? [])
            var findings: [Finding] = []
            for trial in trials { findings += await verdict(trial) }
            let equipped = Set(trials.map(\.topic))
            let others = Set((apps ?? []).map(\.topic) + command.topic).subtracting(equipped).sorted()
            findings += others.map {
                Finding(.warning, "\($0) has no credential: its pushes wait; 'carillon apps add' gives it one")
            }
            if apps?.isEmpty == true, command.topic.isEmpty {
                findings.append(Finding(.error, "there is no app: give --topic, or add one with 'carillon apps add'"))
            }
            return findings
        } catch {
            return [Finding(.error, ServeCommand.message(for: error))]
        }
    }

    private func trials(_ apps: [AppRecord]) throws -> [Trial] {
        let (production, sandbox) = try command.endpoints()
        var references: [String: [APNsEnvironment: CredentialReference]] = [:]
        for app in apps { references[app.topic] = app.credentials }
        if let credential = try command.optionCredential(apps) {
            for topic in command.topic {
                for environment in APNsEnvironment.allCases {
                    references[topic, default: [:]][environment] = credential
                }
            }
        }
        var trials: [Trial] = []
        for (topic, credentials) in references.sorted(by: { $0.key < $1.key }) {
            for environment in APNsEnvironment.allCases {
                guard let reference = credentials[environment] else { continue }
                let trial = Trial(
                    topic: topic, endpoint: environment == .production ? production : sandbox, reference: reference)
                if !trials.contains(trial) { trials.append(trial) }
            }
        }
        return trials
    }

    private func verdict(_ trial: Trial) async -> [Finding] {
        let name = trial.endpoint.host
        do {
            try CommandFile.checkIsForService(trial.reference.path, option: "the credential of \(trial.topic)")
            guard let file = CredentialReference.contents(at: trial.reference.path) else {
                return [Finding(.error, "\(trial.topic): \(trial.reference.path) cannot be read")]
            }
            let credential = try trial.reference.credential(
                in: file, certificatePassword: APNsCredential.passwordInEnvironment)
            var findings: [Finding] = []
            if let end = credential.certificateEnd, end - SystemClock().now < CommandLimits.soon {
                findings.append(Finding(.warning, "\(trial.topic): the certificate ends on \(end)"))
            }
            let client = try command.client(credential, at: trial.endpoint)
            let verdict = await CredentialProbe.verdict(on: trial.topic, with: client, at: name)
            await client.shutdown()
            findings.append(Finding(verdict.outcome == .good ? .ok : .error, verdict.text))
            return findings
        } catch {
            return [Finding(.error, "\(trial.topic): \(ServeCommand.message(for: error))")]
        }
    }

    // MARK: Listeners

    /// Tries to listen on each address, for a moment.
    private func listeners() async -> [Finding] {
        var findings: [Finding] = []
        for place in command.places where place.port != 0 {
            do {
                let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                    .bind(host: place.host, port: place.port).get()
                try await channel.close().get()
                findings.append(Finding(.ok, "\(place.option): port \(place.port) on \(place.host) is free"))
            } catch {
                findings.append(Finding(.error, "\(ListenFailure.explaining(error, [place]))"))
            }
        }
        return findings
    }
}
