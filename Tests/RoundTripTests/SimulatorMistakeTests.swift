import Foundation
import TestSupport
import Testing

@Suite("carillon apns-simulator, started with a mistake: one sentence and an exit status", .serialized)
struct SimulatorMistakeTests {
    private func start(_ arguments: [String], in folder: String) async throws -> ProgramRun {
        try await CarillonProgram.run(["apns-simulator", "--directory", folder] + arguments)
    }

    /// The sentence stands in the line that begins with "Error: ", and holds nothing of the libraries below.
    private func expect(_ sentence: String, status: Int32, _ run: ProgramRun) {
        let line = run.errors.split(separator: "\n").first { $0.hasPrefix("Error: ") } ?? ""
        #expect(line.contains(sentence), "\(run.transcript)")
        #expect(run.status == status)
        #expect(!line.contains("errno") && !line.contains("NIO") && !line.contains("IOError"))
    }

    @Test(
        "options: what is wrong and what would be right",
        arguments: [
            (["--port", "70000"], "--port must be between 0 and 65535"),
            (["--port=-1"], "--port must be between 0 and 65535"),
            (["--admin-port=-1"], "--admin-port must be between 0 and 65535"),
            (["--devices=-5"], "--devices must be between 0 and 100000"),
            (["--offline=-1"], "--offline must be between 0 and --devices (1)"),
            (["--fleet=-1"], "--fleet must be between 0 and 1000000"),
            (["--journal=-1"], "--journal must be between 0 and 1000000"),
            (["--streams-before-proof", "0"], "--streams-before-proof must be between 1 and 1000"),
            (["--key-id", "short"], "--key-id must be 10 capital letters and digits"),
            (["--team-id", "sim team 1"], "--team-id must be 10 capital letters and digits"),
            (["--topic", ""], "--topic must not be empty"),
            (["--store", "many"], "The value 'many' is invalid for '--store <store>'"),
            (["--expiry", "never"], "The value 'never' is invalid for '--expiry <expiry>'"),
            (["--environment", "moon"], "The value 'moon' is invalid for '--environment <environment>'"),
        ])
    func options(arguments: [String], sentence: String) async throws {
        expect(sentence, status: 64, try await start(arguments, in: "/tmp/unused"))
    }

    @Test("a folder that cannot be written to is a mistake in --directory")
    func unwritable() async throws {
        expect("--directory /proc/none: cannot be written", status: 64, try await start([], in: "/proc/none"))
    }

    @Test("a machine that lets no memory be locked is told to, for the password of the .p12")
    func unlockable() async throws {
        let folder = try TemporaryFolder()
        // Root may lock memory beyond the limit, until it gives that capability up.
        let prefix = getuid() == 0 ? ["setpriv", "--bounding-set=-ipc_lock"] : []
        let run = try await CarillonProgram.runTool(
            prefix + ["prlimit", "--memlock=0:0", CarillonProgram.executable().path]
                + ["apns-simulator", "--port", "0", "--directory", folder.url.path])
        expect("the password of a .p12 cannot be locked in memory: raise the limit", status: 1, run)
    }

    @Test("busy ports are named, and which of them it is")
    func busy() async throws {
        try await SimulatedAPNs.run { apns in
            let folder = try TemporaryFolder()
            let (port, adminPort) = (try apns.port, try apns.adminPort)
            expect(
                "port \(port) on 127.0.0.1 is busy, so the simulator cannot listen on it", status: 1,
                try await start(["--port", "\(port)"], in: folder.url.path))
            expect(
                "port \(adminPort) on 127.0.0.1 is busy, so the admin API cannot listen on it", status: 1,
                try await start(["--port", "0", "--admin-port", "\(adminPort)"], in: folder.url.path))
            let up = try await CarillonProgram.run([
                "up", "--port", "0", "--apns-port", "\(port)", "--data", folder.url.path,
            ])
            expect("port \(port) on 127.0.0.1 is busy", status: 1, up)
        }
    }

    @Test("an address of another machine, or none at all, is said to be that")
    func address() async throws {
        let folder = try TemporaryFolder()
        expect(
            "192.0.2.1 is not an address of this machine", status: 1,
            try await start(["--port", "0", "--host", "192.0.2.1"], in: folder.url.path))
        expect(
            "is no.such.host.invalid an address or a host name?", status: 1,
            try await start(["--port", "0", "--host", "no.such.host.invalid"], in: folder.url.path))
    }

    @Test("a key that is no key, of another id, or alone in its folder is not written over")
    func keys() async throws {
        let folder = try TemporaryFolder()
        #expect(await (try await SimulatedAPNs.start(in: folder)).stop() == 0)
        let key = folder.url.appending(path: "AuthKey_SIMKEY0001.p8")
        let text = try Data(contentsOf: key)

        expect(
            "contains the key SIMKEY0001, not OTHERKEY01: use --key-id SIMKEY0001", status: 64,
            try await start(["--port", "0", "--key-id", "OTHERKEY01"], in: folder.url.path))

        try Data("no key".utf8).write(to: key)
        expect(
            "the signing key is not a P-256 key in PEM", status: 1,
            try await start(["--port", "0"], in: folder.url.path))

        try text.write(to: key)
        try FileManager.default.removeItem(at: folder.url.appending(path: "ca.pem"))
        expect(
            "ca.pem is missing, but other files of an earlier start exist", status: 64,
            try await start(["--port", "0"], in: folder.url.path))
        #expect(try Data(contentsOf: key) == text)
    }
}
