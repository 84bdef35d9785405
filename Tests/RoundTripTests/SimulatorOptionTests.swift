import CarillonCore
import Foundation
import TestSupport
import Testing

@Suite("carillon apns-simulator: settings by name, further keys, certificates, and its clock", .serialized)
struct SimulatorOptionTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Runs a script of Tests/Senders with the program's path.
    private func script(_ name: String) async throws -> ProgramRun {
        try await CarillonProgram.runTool([
            "timeout", "120", "bash", Self.root.appending(path: "Tests/Senders/\(name)").path,
            CarillonProgram.executable().path,
        ])
    }

    @Test("--env starts one in the background; doors are opened, named in answers, and taken by curl")
    func doors() async throws {
        let run = try await script("doors.sh")
        #expect(run.status == 0, "\(run.transcript)")
    }

    @Test("--env ends its simulator at a signal before it is ready, and where nobody reads the variables")
    func interrupted() async throws {
        let run = try await script("interrupted-env.sh")
        #expect(run.status == 0, "\(run.transcript)")
    }

    @Test("the advertised host is in simulator.json and the certificate, and each of two ports takes a push")
    func advertised() async throws {
        let folder = try TemporaryFolder()
        let apns = try await SimulatedAPNs.start(
            in: folder, more: ["--port", "0", "--host", "0.0.0.0", "--advertised-host", "127.0.0.2"])
        let ports = apns.summary["ports"]?.arrayValue?.compactMap(\.intValue) ?? []
        #expect(try ports.count == 2 && ports.first == apns.port)
        #expect(apns.summary["host"]?.stringValue == "127.0.0.2")
        #expect(try apns.summary["url"]?.stringValue == "https://127.0.0.2:\(apns.port)")
        #expect(apns.summary["admin_url"]?.stringValue?.hasPrefix("http://127.0.0.2:") == true)
        for port in ports {
            let run = try await apns.push(#"{"aps":{"alert":"Hello"}}"#, url: "https://127.0.0.2:\(port)")
            #expect(run.status == 0, "\(run.transcript)")
        }
        try await apns.accepted(atLeast: ports.count)
        #expect(await apns.stop() == 0)
    }

    @Test("a certificate as .p12 and PEM, two keys, a file and --set, a clock put forward, a token that expires")
    func options() async throws {
        let run = try await script("options.sh")
        #expect(run.status == 0, "\(run.transcript)")
    }

    @Test("the step for GitHub's runners starts one, and its outputs are those that action.yml declares")
    func action() async throws {
        let run = try await script("action.sh")
        #expect(run.status == 0, "\(run.transcript)")
    }

    @Test("a sender and its APNs are recorded without secrets, and the recording is played again")
    func recording() async throws {
        let run = try await CarillonProgram.runTool([
            "timeout", "120", Self.root.appending(path: ".venv/bin/python").path,
            Self.root.appending(path: "Tests/Senders/recording.py").path, CarillonProgram.executable().path,
        ])
        #expect(run.status == 0, "\(run.transcript)")
    }

    @Test(
        "the simulator alone: its image has all that it needs and nothing else, and its npm packages start it",
        arguments: ["image.sh", "npm.sh"])
    func alone(name: String) async throws {
        let program = try CarillonProgram.executable().deletingLastPathComponent()
            .appending(path: "carillon-apns-simulator").path
        let run = try await CarillonProgram.runTool([
            "timeout", "120", "bash", Self.root.appending(path: "Tests/Senders/\(name)").path, program,
        ])
        #expect(run.status == 0, "\(run.transcript)")
    }

    @Test("a process without descriptors says so once a second and serves again when it has some")
    func descriptors() async throws {
        let run = try await script("descriptors.sh")
        #expect(run.status == 0, "\(run.transcript)")
    }

    @Test(
        "nginx says GOAWAY after every 50 requests: each notification is processed once",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/nginx"), "nginx is not installed"))
    func nginx() async throws {
        let run = try await script("nginx.sh")
        #expect(run.status == 0, "\(run.transcript)")
    }

    @Test(
        "nghttpd with 7 streams, with a window of 1023 bytes and with one of a single byte takes everything",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/nghttpd"), "nghttpd is not installed"))
    func nghttpd() async throws {
        let run = try await script("nghttpd.sh")
        #expect(run.status == 0, "\(run.transcript)")
    }

    @Test(
        "an APNs in one line, in the tests of another language, of either program",
        arguments: [
            ("Python", "/usr/bin/env", "../../.venv/bin/python -m pytest -p no:cacheprovider -q python"),
            ("Node.js", "/usr/bin/node", "node --test node/sender-test.mjs"),
            ("Go", "/usr/bin/go", "cd go && GO111MODULE=off GOCACHE=$CLASSES/go go test -count=1 ."),
            ("Java", "/usr/bin/javac", "javac -d $CLASSES java/*.java && java -cp $CLASSES SenderTest"),
            (
                "JUnit", "/usr/share/java/junit-platform-console-standalone.jar",
                """
                javac -cp $PROGRAM -d $CLASSES java/*.java java/junit/*.java && java -jar $PROGRAM -cp $CLASSES \
                    --select-class SenderJUnitTest --fail-if-no-tests
                """
            ),
        ])
    func oneLine(language: String, program: String, command: String) async throws {
        guard FileManager.default.fileExists(atPath: program) else {
            try Test.cancel("\(language) is not installed; make test-senders installs it")
        }
        let classes = try TemporaryFolder()
        let folder = Self.root.appending(path: "Examples/InYourTests").path
        // The simulator's own program is found in PATH, and before carillon, which is broken there.
        let alone = try CarillonProgram.executable().deletingLastPathComponent()
            .appending(path: "carillon-apns-simulator").path
        let script = """
            cd '\(folder)' && (\(command)) && unset CARILLON && mkdir $CLASSES/bin &&
            ln -s '\(alone)' $CLASSES/bin/ && ln -s /bin/false $CLASSES/bin/carillon && PATH=$CLASSES/bin:$PATH && (\(command))
            """
        let run = try await CarillonProgram.runTool([
            "CARILLON=\(CarillonProgram.executable().path)", "CLASSES=\(classes.url.path)", "PROGRAM=\(program)",
            "timeout", "240", "bash",
            "-ec", script,
        ])
        #expect(run.status == 0, "\(language): \(run.transcript)")
    }
}
