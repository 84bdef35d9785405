import CarillonCore
import Foundation
import TestSupport
import Testing

@testable import CommandSupport

@Suite("carillon serve with a configuration file", .timeLimit(.minutes(5))) struct ConfigurationFileTests {
    /// A folder with a configuration file, and the data folder beside it.
    private struct Files {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        var config: String { folder.url.appending(path: "carillon.yaml").path }

        func write(_ text: String) throws { try text.write(toFile: config, atomically: true, encoding: .utf8) }

        func check(_ options: String...) async throws -> ProgramRun {
            try await CarillonProgram.run(["serve", "--config", config, "--check"] + options)
        }
    }

    private static func settings(_ apns: SimulatedAPNs, team: String? = nil) throws -> String {
        """
        data: data
        topic: com.example.chime
        apns-url: https://localhost:\(try apns.port)
        apns-ca: \(try #require(apns.summary["ca"]?.stringValue))
        key: \(try apns.keyPath)
        team-id: \(try team ?? #require(apns.summary["team_id"]?.stringValue))
        port: 0
        """
    }

    @Test("--check tries the credential against APNs, names each setting's place, and creates nothing")
    func good() async throws {
        try await SimulatedAPNs.run { apns in
            let files = try Files()
            try files.write(try Self.settings(apns))
            let run = try await files.check()
            #expect(run.status == 0, "\(run.transcript)")
            #expect(run.output.contains("port = 0, by \(files.config):7"), "\(run.transcript)")
            #expect(run.output.contains("carillon.sqlite has no tables: the start creates them"), "\(run.transcript)")
            #expect(run.output.contains("localhost, com.example.chime: good"), "\(run.transcript)")
            #expect(run.output.hasSuffix("the service would start\n"), "\(run.transcript)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: files.folder.url.path) == ["carillon.yaml"])
        }
    }

    @Test("--check tells a refused credential, a busy port and a broken database, and ends with status 1")
    func bad() async throws {
        try await SimulatedAPNs.run { apns in
            let files = try Files()
            try FileManager.default.createDirectory(
                at: files.folder.url.appending(path: "data"), withIntermediateDirectories: false)
            try Data("no database, but a text that is long enough".utf8).write(
                to: files.folder.url.appending(path: "data/carillon.sqlite"))
            try files.write(try Self.settings(apns, team: "WRONGTEAM1"))
            let run = try await files.check("--port", "\(try apns.port)")
            #expect(run.status == 1, "\(run.transcript)")
            #expect(run.output.contains("error   the database: "), "\(run.transcript)")
            #expect(run.output.contains("com.example.chime: refused (403 InvalidProviderToken)"), "\(run.transcript)")
            #expect(run.output.contains("port \(try apns.port) on 127.0.0.1 is busy"), "\(run.transcript)")
            #expect(run.output.hasSuffix("3 errors: mend what they name before you start\n"), "\(run.transcript)")
        }
    }

    @Test("a fault of the file, and a wrong value in it, are told with their line")
    func faults() async throws {
        let files = try Files()
        try files.write("data: data\napns: production\nprot: 8080\n")
        let unknown = try await files.check()
        #expect(unknown.status == 64 && unknown.errors.contains("\(files.config):3: there is no setting 'prot'"))
        try files.write("data: data\napns: production\nport: eighty\n")
        let wrong = try await files.check()
        #expect(wrong.status == 64, "\(wrong.transcript)")
        #expect(wrong.errors.contains("'eighty' is invalid for '--port"), "\(wrong.transcript)")
        #expect(wrong.errors.hasSuffix("(--port is set by \(files.config):3)\n"), "\(wrong.transcript)")
    }

    @Test("at SIGHUP a changed limit holds at once, and the log names what needs a restart")
    func reload() async throws {
        let files = try Files()
        let common = "data: data\ntopic: com.example.chime\nrole: [api]\nport: 0\n"
        try files.write(common + "registrations-per-app: 1\n")
        let log = files.folder.url.appending(path: "log")
        let program = try RunningProgram(["serve", "--config", files.config], log: log)
        let base = try await ServiceProgram.address(program)
        let first = try await ServiceProgram.register("a", at: base)
        let second = try await ServiceProgram.register("b", at: base)
        #expect(first == 200 && second == 429)
        try files.write(common + "registrations-per-app: 9\nlease: 30\n")
        program.hangUp()
        var text = ""
        while !text.contains("changed settings hold after a restart only") {
            text = try String(contentsOf: log, encoding: .utf8)
            await Task.yield()
        }
        #expect(text.contains("settings=registrations-per-app"), "\(text)")
        let third = try await ServiceProgram.register("c", at: base)
        #expect(third == 200)
        #expect(await program.terminate() == 0)
    }
}
