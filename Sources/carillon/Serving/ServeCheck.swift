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

/// Checks everything that `carillon serve` needs to start, without changing anything.
struct ServeCheck {
    /// One result of the check, such as a port that is not free.
    struct Finding: Sendable, Hashable {
        enum Kind: String, Sendable {
            case ok, note, warning, error
        }

        let kind: Kind
        let text: String

        init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }
    }

    let command: ServeCommand

    /// Prints one line for each result, and then whether the service would start.
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
        try tell(certificates())
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

    /// Returns the settings that the operator has given, each with its source: the command line, an environment
    /// variable or a line of the file.
    private func settings() -> [Finding] {
        guard let arguments = ServeArguments.current else { return [] }
        let given = arguments.given.filter { ServeSetting.byName[$0.name] != nil }
        let lines = given.map { "\($0.name) = \($0.shown), by \($0.place)" }
        let places = ["the command line", "the environment"] + [arguments.file].compactMap(\.self)
        let list = places.dropLast().joined(separator: ", ") + " and \(places.last ?? "")"
        let head = "\(given.count) setting\(given.count == 1 ? "" : "s") from \(list)"
        return [Finding(.ok, ([head] + lines).joined(separator: "\n"))]
    }

    private func secret() -> [Finding] {
        guard !command.requireSignInKeys else { return [] }
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

    /// Checks the database's folder, the free space on the folder's disk, and the number of files that this process may open.
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
                let count = "\(apps.count) app\(apps.count == 1 ? "" : "s")"
                return ([Finding(.ok, "\(name): \(count)\(names.isEmpty ? "" : ": \(names)")")], apps)
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

    private func credentials(_ apps: [AppRecord]?) async -> [Finding] {
        guard command.role.contains(.sender) else { return [] }
        do {
            let trials = try trials(apps ?? [])
            var findings: [Finding] = []
            for trial in trials { findings += await self.findings(of: trial) }
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

    private func trials(_ apps: [AppRecord]) throws -> [CredentialTrial] {
        var references: [String: [APNsEnvironment: CredentialReference]] = [:]
        for app in apps { references[app.topic] = app.credentials }
        if let credential = try command.optionCredential(apps) {
            for topic in command.topic {
                for environment in APNsEnvironment.allCases {
                    references[topic, default: [:]][environment] = credential
                }
            }
        }
        let (production, sandbox) = try command.endpoints()
        return CredentialTrial.all(of: references, production: production, sandbox: sandbox)
    }

    private func findings(of trial: CredentialTrial) async -> [Finding] {
        switch await trial.run(with: command.client) {
        case .unusable(let reason): return [Finding(.error, "\(trial.topic): \(reason)")]
        case .judged(let verdict, let end):
            let warning = end.flatMap { end in
                end - SystemClock().now < CommandLimits.soon
                    ? Finding(.warning, "\(trial.topic): the certificate ends on \(end)") : nil
            }
            return [warning, Finding(verdict.outcome == .good ? .ok : .error, verdict.text), clock(verdict)]
                .compactMap(\.self)
        }
    }

    /// Compares this machine's clock with that of APNs, which refuses provider tokens from the future or older than an hour.
    private func clock(_ verdict: CredentialVerdict) -> Finding? {
        guard let lead = verdict.clockLead?.components.seconds, abs(lead) >= CommandLimits.clockTolerance else {
            return nil
        }
        return Finding(
            .warning,
            "this machine's clock is \(abs(lead)) s \(lead > 0 ? "fast" : "slow"), by the Date of \(verdict.endpoint): set it"
        )
    }

    // MARK: Listeners

    /// Checks the certificate of each listener that has one, and returns a finding for each certificate.
    private func certificates() -> [Finding] {
        let readers: [(String, () throws -> ListenerCertificate?)] = [
            ("--tls-certificate", command.tls.certificate),
            ("--operator-tls-certificate", command.tls.operatorCertificate),
        ]
        return readers.compactMap { option, read in
            do {
                guard let certificate = try read() else { return nil }
                let isSoon = certificate.end - SystemClock().now < CommandLimits.soon
                return Finding(
                    isSoon ? .warning : .ok,
                    "\(option): the certificate in \(certificate.files.certificate) ends on \(certificate.end)")
            } catch {
                return Finding(.error, ServeCommand.message(for: error))
            }
        }
    }

    /// Tries to listen on each address, for a moment.
    ///
    /// A used port is no error if a service of Carillon answers on it. The result then includes that service's health.
    private func listeners() async -> [Finding] {
        var (findings, busy): ([Finding], [(place: ServeCommand.Place, error: any Error)]) = ([], [])
        for place in command.places where place.port != 0 {
            do {
                let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                    .bind(host: place.host, port: place.port).get()
                try await channel.close().get()
                findings.append(Finding(.ok, "\(place.option): port \(place.port) on \(place.host) is free"))
            } catch {
                busy.append((place, error))
            }
        }
        let (socketFinding, busySocket) = socket()
        findings += [socketFinding].compactMap(\.self)
        // The last listener is the one that tells the service's health.
        let health: RunningHealth? =
            if let last = command.places.last {
                busy.contains { $0.place == last } ? await .of(last, isSecure: command.isSecure(last)) : nil
            } else {
                if let busySocket { await .of(busySocket) } else { nil }
            }
        guard let health else {
            return findings + busy.map { Finding(.error, "\(ListenFailure.explaining($0.error, [$0.place]))") }
                + [busySocket].compactMap(\.self).map {
                    Finding(.error, "--socket \($0.path): a process listens there")
                }
        }
        let taken = busy.map { "port \($0.place.port)" } + [busySocket].compactMap(\.self).map(\.path)
        let places = taken.joined(separator: " and ")
        return findings + [Finding(.note, "a service of Carillon runs already at \(places)")] + health.findings
    }

    /// Looks at the place of the Unix socket.
    ///
    /// - Returns: the result, or the file if a process listens there; nothing if this process has no such socket.
    private func socket() -> (Finding?, busy: SocketFile?) {
        guard let place = command.listener.socketPlace, command.role.contains(.api) else { return (nil, nil) }
        let file = SocketFile(path: place.path)
        do {
            switch try file.occupant() {
            case .none: return (Finding(.ok, "--socket: \(file.path) is free"), nil)
            case .endedProcess:
                return (Finding(.note, "--socket: the socket of an ended process is replaced: \(file.path)"), nil)
            case .runningProcess: return (nil, file)
            }
        } catch {
            return (Finding(.error, "\(error)"), nil)
        }
    }
}
