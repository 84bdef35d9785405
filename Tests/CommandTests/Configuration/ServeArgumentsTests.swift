import ArgumentParser
import CarillonCore
import CarillonServer
import Foundation
import ServiceSupport
import TestSupport
import Testing

@testable import carillon

@Suite("Settings of carillon serve from the command line, the environment and a file")
struct ServeArgumentsTests {
    /// Parses a command with the settings of all three places.
    private func command(
        _ commandLine: [String], environment: [String: String] = [:], file: String? = nil
    ) throws -> (ServeCommand, ServeArguments) {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "carillon.yaml").path
        try file?.write(toFile: path, atomically: true, encoding: .utf8)
        let arguments = try ServeArguments(
            commandLine: commandLine + (file == nil ? [] : ["--config", path]), environment: environment)
        return (
            try #require(try CarillonCommand.parseAsRoot(["serve"] + arguments.arguments) as? ServeCommand), arguments
        )
    }

    private func fault(
        _ commandLine: [String], environment: [String: String] = [:], file: String? = nil
    ) -> String {
        let error = #expect(throws: (any Error).self) {
            try command(commandLine, environment: environment, file: file)
        }
        return error.map { ServeCommand.message(for: $0) } ?? ""
    }

    @Test("a file gives values, lists, flags and switches, and its paths are relative to its folder")
    func file() throws {
        let (command, arguments) = try command(
            [],
            file: """
                # The service of the example.
                data: var
                apns: sandbox
                port: 9090
                topic: [com.example.chime, com.example.ferry]
                trusted-proxy: 10.0.0.7
                listen: yes
                until-stdin-closes: true
                key: AuthKey_ABC123DEFG.p8
                team-id: "TEAM123456"
                """)
        let folder = URL(fileURLWithPath: try #require(arguments.file)).deletingLastPathComponent()
            .resolvingSymlinksInPath().path
        #expect(command.service.data == "\(folder)/var" && command.key.key == "\(folder)/AuthKey_ABC123DEFG.p8")
        #expect(command.apns == .sandbox && command.listener.port == 9090 && command.key.teamID == "TEAM123456")
        #expect(command.topic == ["com.example.chime", "com.example.ferry"])
        #expect(command.registrations.trustedProxy.map(\.description) == ["10.0.0.7"])
        #expect(command.listen && command.untilStdinCloses)
    }

    @Test("a variable of the environment gives one value, or a list with commas; an empty one gives none")
    func environment() throws {
        let (command, _) = try command(
            ["--data", "d", "--apns", "production"],
            environment: [
                "CARILLON_SERVE_OPERATOR_PORT": "8081", "CARILLON_SERVE_TOPIC": "com.example.chime, com.example.ferry",
                "CARILLON_SERVE_HOST": "", "CARILLON_KEY": "not a setting",
                "CARILLON_SERVE_TRUSTED_PROXY": "10.0.0.0/8, fd00::/8,192.0.2.7",
            ])
        #expect(command.registrations.trustedProxy.map(\.description) == ["10.0.0.0/8", "fd00::/8", "192.0.2.7"])
        #expect(command.operators.operatorPort == 8081 && command.listener.address?.host == "127.0.0.1")
        #expect(command.topic == ["com.example.chime", "com.example.ferry"])
    }

    @Test("the command line comes before the environment, and the environment before the file")
    func precedence() throws {
        let file = "data: d\napns: production\nport: 1001\nlease: 31\nbacklog: 11\ntopic: [com.example.one]"
        let (command, arguments) = try command(
            ["--port=1003", "--topic", "com.example.three"],
            environment: ["CARILLON_SERVE_PORT": "1002", "CARILLON_SERVE_LEASE": "32"], file: file)
        #expect(command.listener.port == 1003 && command.lease == 32 && command.limits.backlog == 11)
        #expect(command.topic == ["com.example.three"])
        let places = Dictionary(arguments.given.map { ($0.name, $0.place.rank) }) { first, _ in first }
        #expect(places["port"] == 0 && places["lease"] == 1 && places["backlog"] == 2)
    }

    @Test("an option replaces those of the file that contradict it")
    func replaced() throws {
        let file = "database: postgres://db/carillon\nlisten: false\napns-url: https://localhost:2197\napns-ca: ca.pem"
        let (command, _) = try command(["--data", "d", "--apns", "production"], file: file)
        #expect(command.service.data == "d" && command.service.database == nil && command.listen)
        #expect(command.apns == .production && command.apnsURL == nil && command.apnsCA == nil)
        let (switched, _) = try self.command(
            ["--data", "d", "--apns", "production", "--no-listen"].filter { $0 != "--no-listen" }, file: "listen: true")
        #expect(switched.listen)
    }

    @Test("a file without settings is accepted", arguments: ["", "# nothing\n", "---\n", "~"])
    func empty(_ text: String) throws {
        let (command, _) = try command(["--data", "d", "--apns", "production"], file: text)
        #expect(command.listener.address?.port == 8080)
    }

    @Test(
        "each fault of a file is told with its line and with advice",
        arguments: [
            ("port: 1\noperater-port: 2", ":2: there is no setting 'operater-port'; did you mean 'operator-port'?"),
            ("colour: blue", ":1: there is no setting 'colour': 'carillon serve --help' lists the settings"),
            ("config: other.yaml", ":1: 'config' cannot stand in the file itself"),
            ("check: true", ":1: there is no setting 'check'"),
            ("port: [1, 2]", ":1: port: expected one value, and not a list"),
            ("port:", ":1: port has no value: write one, or leave the line out"),
            ("topic: [a, ~]", ":1: topic: each element is one word"),
            ("port:\n  number: 1", ":1: port: expected a value, and not further names below it"),
            ("listen: perhaps", ":1: listen: expected true or false, and not 'perhaps'"),
            ("- port", "expected lines like 'port: 8080'"),
            ("just text", "expected lines like 'port: 8080'"),
            ("port: 1\nport: 2", "this is no YAML"),
            ("port: 'open", "this is no YAML"),
        ])
    func faults(_ text: String, _ reason: String) {
        let told = fault(["--data", "d", "--apns", "production"], file: text)
        #expect(told.contains(reason), "\(told)")
    }

    @Test("all faults of a file are told at once")
    func together() {
        let told = fault(["--data", "d", "--apns", "production"], file: "prot: 1\nhots: 2")
        #expect(told.contains("'port'") && told.contains("'host'"), "\(told)")
    }

    @Test("a variable that names no setting is refused with the nearest; a missing file is named")
    func unknown() {
        let told = fault(["--data", "d"], environment: ["CARILLON_SERVE_PROT": "1"])
        #expect(told.contains("CARILLON_SERVE_PROT names no setting; did you mean CARILLON_SERVE_PORT?"), "\(told)")
        let missing = fault(["--config", "/nowhere/carillon.yaml"])
        #expect(missing.contains("--config /nowhere/carillon.yaml"), "\(missing)")
    }

    @Test(
        "the variables that Kubernetes makes for a service of such a name are no settings, and settings beside them are"
    )
    func kubernetes() throws {
        let (command, arguments) = try command(
            ["--data", "d", "--apns", "production"],
            environment: [
                "CARILLON_SERVE_SERVICE_HOST": "10.0.0.1", "CARILLON_SERVE_SERVICE_PORT": "8080",
                "CARILLON_SERVE_SERVICE_PORT_HTTP": "8080", "CARILLON_SERVE_PORT": "tcp://10.0.0.1:8080",
                "CARILLON_SERVE_PORT_8080_TCP": "tcp://10.0.0.1:8080", "CARILLON_SERVE_PORT_8080_TCP_PROTO": "tcp",
                "CARILLON_SERVE_PORT_8080_TCP_PORT": "8080", "CARILLON_SERVE_PORT_8080_TCP_ADDR": "10.0.0.1",
                "CARILLON_SERVE_OPERATOR_SERVICE_HOST": "10.0.0.2",
                "CARILLON_SERVE_OPERATOR_PORT": "tcp://10.0.0.2:8081",
                "CARILLON_SERVE_OPERATOR_PORT_8081_UDP_ADDR": "10.0.0.2", "CARILLON_SERVE_LEASE": "32",
            ])
        #expect(command.listener.address?.port == 8080 && command.operators.operatorPort == nil && command.lease == 32)
        #expect(arguments.given.filter { $0.place != .commandLine }.map(\.name) == ["lease"])
        let told = fault(["--data", "d"], environment: ["CARILLON_SERVE_PORT_8080": "1"])
        #expect(told.contains("CARILLON_SERVE_PORT_8080 names no setting"), "\(told)")
    }

    @Test("an error about an option says where the option is set, unless that is the command line")
    func origins() throws {
        let (_, arguments) = try command(
            ["--data", "d", "--apns", "production", "--lease", "30"], environment: ["CARILLON_SERVE_PORT": "99"],
            file: "host: 10.0.0.1")
        #expect(
            arguments.origins(in: "--port must be between 0 and 65535")
                == "(--port is set by the environment variable CARILLON_SERVE_PORT)")
        #expect(arguments.origins(in: "--host is wrong").hasSuffix("carillon.yaml:1)"))
        #expect(arguments.origins(in: "--lease must be between 10 and 86400 seconds").isEmpty)
    }

    @Test("the file can be named in the environment")
    func named() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "c.yaml").path
        try "port: 7".write(toFile: path, atomically: true, encoding: .utf8)
        let arguments = try ServeArguments(commandLine: [], environment: ["CARILLON_SERVE_CONFIG": path])
        #expect(arguments.arguments == ["--port=7"] && arguments.file == path)
    }

    @Test("every option of serve is a setting, but for those that make sense on the command line only")
    func all() {
        let names = Set(ServeSetting.all.map(\.name))
        #expect(
            names.isSuperset(of: ["data", "port", "topic", "listen", "trusted-proxy", "retention", "head-timeout"]))
        #expect(names.isDisjoint(with: ["config", "check", "help", "version", "no-listen"]))
        #expect(SettingsChange.adjustable.isSubset(of: names))
        #expect(GivenSetting.replaced.allSatisfy { names.contains($0.key) && names.isSuperset(of: $0.value) })
    }
}
