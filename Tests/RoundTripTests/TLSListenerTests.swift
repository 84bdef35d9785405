import CarillonCore
import Foundation
import TestSupport
import Testing

@testable import CommandSupport
@testable import ServiceSupport

@Suite("carillon serve with TLS", .timeLimit(.minutes(5))) struct TLSListenerTests {
    /// A folder with certificates for localhost, each its own authority.
    private struct Files {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        func path(_ name: String) -> String { folder.url.appending(path: name).path }

        /// Makes `name.pem` and `name.key` with openssl.
        func make(_ name: String, days: Int = 300) async throws {
            let made = try await CarillonProgram.runTool(
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                "\(days)", "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout",
                path("\(name).key"), "-out", path("\(name).pem"))
            #expect(made.status == 0, "\(made.transcript)")
        }

        /// Calls an address with curl, which trusts only the certificate of `name`.
        func curl(_ address: String, trusting name: String, host: String = "localhost") async throws -> ProgramRun {
            try await CarillonProgram.runTool(
                "curl", "-sS", "--cacert", path("\(name).pem"), "-o", "/dev/null", "-w", "%{http_code}", "-H",
                "Host: \(host)", address)
        }

        /// Waits until the service's log has a text.
        func awaits(_ text: String) async throws {
            while try !String(contentsOfFile: path("log"), encoding: .utf8).contains(text) { await Task.yield() }
        }

        func serve(_ options: String..., log: String = "log") throws -> RunningProgram {
            try RunningProgram(
                [
                    "serve", "--data", path("data"), "--topic", "com.example.chime", "--role", "api", "--port", "0",
                ] + options, log: URL(fileURLWithPath: path(log)))
        }
    }

    @Test("each listener has its certificate, and a changed one is used by new connections, unless it is broken")
    func story() async throws {
        let files = try Files()
        for name in ["phones", "operators", "renewed"] { try await files.make(name) }
        let program = try files.serve(
            "--tls-certificate", files.path("phones.pem"), "--tls-key", files.path("phones.key"),
            "--operator-port", "0", "--operator-tls-certificate", files.path("operators.pem"),
            "--operator-tls-key", files.path("operators.key"))
        let operators = try await Self.line(of: program, after: ReadyLine.operatorPrefix)
        let phones = try await Self.line(of: program, after: ReadyLine.prefix)
        #expect(operators.hasPrefix("https://") && phones.hasPrefix("https://"))
        let (health, devices) = ("\(operators)/livez", "\(phones)/v1/devices")
        #expect(try await files.curl(health, trusting: "operators").output == "200")
        let metrics = try await files.curl("\(operators)/metrics", trusting: "operators", host: "push.example.com")
        #expect(metrics.output == "200", "a certificate has proved the name")
        #expect(try await files.curl(devices, trusting: "phones").output == "405")
        #expect(try await files.curl(health, trusting: "phones").status == 60, "another listener's certificate")
        let plain = try await files.curl(devices.replacing("https", with: "http"), trusting: "phones")
        #expect(plain.status != 0, "\(plain.transcript)")
        #expect(try await files.curl(devices, trusting: "phones").output == "405", "after a client without TLS")

        // A key without its certificate is what one sees between the two steps of a renewal.
        try Data(contentsOf: URL(fileURLWithPath: files.path("renewed.key")))
            .write(to: URL(fileURLWithPath: files.path("phones.key")))
        try await files.awaits("the changed certificate cannot be used, so the former one stays")
        #expect(try await files.curl(devices, trusting: "phones").output == "405")
        try Data(contentsOf: URL(fileURLWithPath: files.path("renewed.pem")))
            .write(to: URL(fileURLWithPath: files.path("phones.pem")))
        try await files.awaits("new connections use the changed certificate")
        #expect(try await files.curl(devices, trusting: "renewed").output == "405")
        #expect(await program.terminate() == 0)
    }

    @Test("a listener's certificate that ends within 30 days is a warning of health, and in the metrics")
    func ending() async throws {
        let files = try Files()
        try await files.make("phones", days: 10)
        let program = try files.serve(
            "--tls-certificate", files.path("phones.pem"), "--tls-key", files.path("phones.key"),
            "--operator-port", "0")
        let operators = try await Self.line(of: program, after: ReadyLine.operatorPrefix)
        let health = try JSONValue(
            parsing: try await CarillonProgram.runTool("curl", "-sS", "\(operators)/healthz").output)
        let warning = health["warnings"]?.arrayValue?.first
        #expect(health["status"] == "ok" && warning?["listener"] == "port" && warning?["app"] == nil, "\(health)")
        let advice = warning?["advice"]?.stringValue ?? ""
        #expect(warning?["ends"] != nil && advice.contains(files.path("phones.pem")), "\(health)")
        let metrics = try await CarillonProgram.runTool("curl", "-sS", "\(operators)/metrics").lines
        let left = metrics.first { $0.hasPrefix("carillon_listener_certificate_left_seconds{listener=\"port\"} ") }
        let seconds = left.flatMap { $0.split(separator: " ").last }.flatMap { Double($0) }
        #expect((9 * 86_400.0...10 * 86_400).contains(seconds ?? 0), "\(left ?? "none")")
        let doctor = try await CarillonProgram.run(
            "doctor", "--data", files.path("data"), "--topic", "com.example.chime", "--role", "api", "--port", "0",
            "--operator-port", "\(try #require(URL(string: operators)?.port))")
        #expect(doctor.output.contains("warning port: \(advice)"), "\(doctor.transcript)")
        #expect(await program.terminate() == 0)
    }

    @Test("a command that does not trust the service's certificate says so, and what to do")
    func commands() async throws {
        let files = try Files()
        try await files.make("phones")
        let program = try files.serve(
            "--tls-certificate", files.path("phones.pem"), "--tls-key", files.path("phones.key"))
        let address = try await Self.line(of: program, after: ReadyLine.prefix)
        let refused = try await CarillonProgram.run("messages", "show", "m", "--key", "ck_a_b", "--url", address)
        #expect(refused.status == 1 && refused.errors.contains("SSL certificate problem"), "\(refused.transcript)")
        #expect(refused.errors.contains("update-ca-certificates"), "\(refused.transcript)")
        #expect(!refused.errors.contains("is the service running there"), "\(refused.transcript)")
        #expect(await program.terminate() == 0)
    }

    private static func line(of program: RunningProgram, after prefix: String) async throws -> String {
        for await line in program.lines where line.hasPrefix(prefix) { return String(line.dropFirst(prefix.count)) }
        throw MissingProgram(path: "a service that is ready")
    }

    @Test("files that cannot be used are told with their option, before the service starts")
    func mistakes() async throws {
        let files = try Files()
        for name in ["one", "other"] { try await files.make(name, days: 10) }
        func refused(_ options: String...) async throws -> String {
            let run = try await CarillonProgram.run(
                [
                    "serve", "--data", files.path("data"), "--topic", "com.example.chime", "--role", "api", "--port",
                    "0",
                ] + options)
            #expect(run.status == 64, "\(run.transcript)")
            return run.errors
        }
        let (pem, key) = (files.path("one.pem"), files.path("one.key"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: pem)
        #expect(try await refused("--tls-certificate", files.path("none.pem")).contains("none.pem cannot be read"))
        #expect(try await refused("--tls-certificate", key).contains("one.key has no certificate in PEM"))
        #expect(try await refused("--tls-certificate", pem, "--tls-key", pem).contains("one.pem has no private key"))
        let other = try await refused("--tls-certificate", pem, "--tls-key", files.path("other.key"))
        #expect(
            other.contains("--tls-certificate: the private key in") && other.contains("does not belong"), "\(other)")
        #expect(try await refused("--tls-key", key).contains("--tls-key needs --tls-certificate"))
        #expect(
            try await refused("--operator-tls-certificate", pem)
                .contains("--operator-tls-certificate needs --operator-port"))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        let exposed = try await refused("--tls-certificate", pem, "--tls-key", key)
        #expect(exposed.contains("every user of this machine can read"), "\(exposed)")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        let check = try await CarillonProgram.run(
            "serve", "--data", files.path("data"), "--topic", "com.example.chime", "--role", "api",
            "--tls-certificate", pem, "--tls-key", key, "--check")
        #expect(
            check.output.contains("warning --tls-certificate: the certificate in \(pem) ends on "),
            "\(check.transcript)")
    }
}
