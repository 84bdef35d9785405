import CarillonCore
import Foundation
import FoundationNetworking
import TestSupport
import Testing

@testable import CommandSupport
@testable import ServiceSupport

/// Credential files as people export them by mistake, made by openssl.
@Suite("Files that are no usable credential", .serialized, .timeLimit(.minutes(5)))
struct CredentialFileTests {
    /// A folder with a certificate for com.example.chime, its key, another key, and archives of them.
    private struct Files {
        let folder: TemporaryFolder

        init() async throws {
            folder = try TemporaryFolder()
            for name in ["own", "other"] {
                try await openssl(
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "300",
                    "-subj", "/UID=com.example.chime/CN=x", "-keyout", path("\(name).key"), "-out", path("\(name).crt"))
            }
        }

        func path(_ name: String) -> String { folder.url.appending(path: name).path }

        func openssl(_ arguments: String...) async throws {
            let run = try await CarillonProgram.runTool(["openssl"] + arguments)
            try #require(run.status == 0, "\(run.transcript)")
        }

        func python(_ script: String, _ arguments: String...) async throws {
            let python = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appending(path: "../../.venv/bin/python3").standardizedFileURL.path
            let run = try await CarillonProgram.runTool([python, "-c", script] + arguments)
            try #require(run.status == 0, "make test-setup makes .venv: \(run.transcript)")
        }

        func join(_ parts: String..., into name: String) throws -> String {
            let text = try parts.map { try String(contentsOfFile: path($0), encoding: .utf8) }.joined()
            try TemporaryFolder.write(secret: Data(text.utf8), to: URL(fileURLWithPath: path(name)))
            return path(name)
        }

        /// Runs `keys check` with a file; its APNs does not exist.
        func check(_ file: String, password: String = "s") async throws -> ProgramRun {
            try await CarillonProgram.run([
                "keys", "check", "--certificate", file, "--certificate-password", password, "--url",
                "https://127.0.0.1:1", "--timeout", "1",
            ])
        }
    }

    @Test("an archive without the key, or without the certificate, is refused in a sentence")
    func incomplete() async throws {
        let files = try await Files()
        let (noKey, noCertificate) = (files.path("certonly.p12"), files.path("keyonly.p12"))
        try await files.openssl(
            "pkcs12", "-export", "-nokeys", "-in", files.path("own.crt"), "-passout", "pass:s", "-out", noKey)
        try await files.openssl(
            "pkcs12", "-export", "-nocerts", "-inkey", files.path("own.key"), "-passout", "pass:s", "-out",
            noCertificate)
        for (file, sentence) in [
            (noKey, "The .p12 file has a certificate and no private key."),
            (noCertificate, "The .p12 file has a private key and no certificate."),
        ] {
            let run = try await files.check(file)
            #expect((1...64).contains(run.status) && run.errors.contains(sentence), "\(run.transcript)")
            let wrong = try await files.check(file, password: "other")
            #expect(wrong.errors.contains("cannot be opened"), "\(wrong.transcript)")
        }
    }

    @Test("a certificate with somebody else's key is refused, as PEM and as .p12, also by 'apps add'")
    func strangersKey() async throws {
        let files = try await Files()
        let pair = try files.join("own.crt", "other.key", into: "pair.pem")
        let run = try await files.check(pair)
        #expect(run.errors.contains("The private key does not belong to the certificate."), "\(run.transcript)")
        let added = try await CarillonProgram.run([
            "apps", "add", "--data", files.path("data"), "--topic", "com.example.chime", "--certificate", pair,
        ])
        #expect(added.status != 0 && added.errors.contains("does not belong"), "\(added.transcript)")
        // openssl refuses to write such an archive.
        let archive = files.path("strangers.p12")
        let script = """
            from sys import argv
            from cryptography import x509
            from cryptography.hazmat.primitives import serialization as s
            from cryptography.hazmat.primitives.serialization import pkcs12
            key = s.load_pem_private_key(open(argv[1], "rb").read(), None)
            certificate = x509.load_pem_x509_certificate(open(argv[2], "rb").read())
            data = pkcs12.serialize_key_and_certificates(None, key, None, [certificate], s.BestAvailableEncryption(b"s"))
            open(argv[3], "wb").write(data)
            """
        try await files.python(script, files.path("other.key"), files.path("own.crt"), archive)
        let refused = try await files.check(archive)
        #expect((1...64).contains(refused.status), "\(refused.transcript)")
        #expect(refused.errors.contains("does not belong"), "\(refused.transcript)")
    }

    @Test("an archive that cannot be read for another reason than its password says which")
    func otherReasons() async throws {
        let files = try await Files()
        let (withoutMAC, named) = (files.path("nomac.p12"), files.path("named.p12"))
        try await files.openssl(
            "pkcs12", "-export", "-nomac", "-in", files.path("own.crt"), "-inkey", files.path("own.key"), "-passout",
            "pass:s", "-out", withoutMAC)
        let script = """
            from sys import argv
            from cryptography import x509
            from cryptography.hazmat.primitives import serialization as s
            from cryptography.hazmat.primitives.serialization import pkcs12
            key = s.load_pem_private_key(open(argv[1], "rb").read(), None)
            certificate = x509.load_pem_x509_certificate(open(argv[2], "rb").read())
            name = "Push \\U0001F514".encode()
            data = pkcs12.serialize_key_and_certificates(name, key, certificate, None, s.BestAvailableEncryption(b"s"))
            open(argv[3], "wb").write(data)
            """
        try await files.python(script, files.path("own.key"), files.path("own.crt"), named)
        for (archive, sentence) in [
            (withoutMAC, "has no MAC"), (named, "a name with characters that cannot be read"),
        ] {
            let check = try await files.check(archive)
            #expect((1...64).contains(check.status) && check.errors.contains(sentence), "\(check.transcript)")
        }
    }

    @Test("a certificate whose issuers stand before it is found by its key")
    func order() async throws {
        let files = try await Files()
        let file = try files.join("other.crt", "own.crt", "own.key", into: "reversed.pem")
        let run = try await files.check(file)
        #expect(run.output.contains("connection refused"), "a good file is used: \(run.transcript)")
    }

    @Test("no text that a person or a log gets has a key in it, however its BEGIN line is damaged")
    func secrecy() async throws {
        let files = try await Files()
        let key = try String(contentsOfFile: files.path("own.key"), encoding: .utf8)
        let secret = try #require(key.split(separator: "\n").dropFirst().first).prefix(20)
        let lines = key.split(separator: "\n", omittingEmptySubsequences: false)
        for begin in [
            "-----BEGIN PRIVATE KEY----", "-----BEGIN PRIVATE KEY—–", "-----BEGIN PRIVATE KEY",
            "-----BEGIN \(secret)-----",
            "----BEGIN PRIVATE KEY-----",
        ] {
            let damaged = ([begin] + lines.dropFirst().map(String.init)).joined(separator: "\n")
            try Data(damaged.utf8).write(to: URL(fileURLWithPath: files.path("AuthKey_ABC123DEFG.p8")))
            let run = try await CarillonProgram.run([
                "keys", "check", "--key", files.path("AuthKey_ABC123DEFG.p8"), "--team-id", "TEAM123456", "--topic",
                "com.example.chime", "--url", "https://127.0.0.1:1", "--timeout", "1",
            ])
            #expect((1...64).contains(run.status), "\(begin): \(run.transcript)")
            #expect(!run.transcript.contains(secret), "\(begin): \(run.transcript)")
        }
    }

    @Test("a certificate in DER, an empty file and a cut-off one say what they are")
    func wrongKind() async throws {
        let files = try await Files()
        try await files.openssl(
            "x509", "-in", files.path("own.crt"), "-outform", "DER", "-out", files.path("own.cer"))
        try Data().write(to: URL(fileURLWithPath: files.path("empty.p12")))
        try await files.openssl(
            "pkcs12", "-export", "-in", files.path("own.crt"), "-inkey", files.path("own.key"), "-passout", "pass:s",
            "-out", files.path("own.p12"))
        let whole = try Data(contentsOf: URL(fileURLWithPath: files.path("own.p12")))
        try whole.dropLast(100).write(to: URL(fileURLWithPath: files.path("cut.p12")))
        for (name, sentence) in [
            ("own.cer", "a certificate (.cer, in DER) without its private key"), ("empty.p12", "is empty"),
            ("cut.p12", "cannot be opened"),
        ] {
            let run = try await files.check(files.path(name))
            #expect((1...64).contains(run.status) && run.errors.contains(sentence), "\(run.transcript)")
        }
        let good = try await files.check(files.path("own.p12"))
        #expect(good.output.contains("connection refused"), "a good file is used: \(good.transcript)")
    }

    @Test("a password beyond ASCII opens an archive and a key")
    func unicodePassword() async throws {
        let files = try await Files()
        let password = "pässwört"
        try await files.openssl(
            "pkcs12", "-export", "-in", files.path("own.crt"), "-inkey", files.path("own.key"), "-passout",
            "pass:\(password)", "-out", files.path("own.p12"))
        try await files.openssl(
            "pkcs8", "-topk8", "-in", files.path("own.key"), "-passout", "pass:\(password)", "-out",
            files.path("encrypted.key"))
        for file in [files.path("own.p12"), try files.join("own.crt", "encrypted.key", into: "encrypted.pem")] {
            let run = try await files.check(file, password: password)
            #expect(run.output.contains("connection refused"), "\(run.transcript)")
            let wrong = try await files.check(file, password: "passwort")
            #expect((1...64).contains(wrong.status) && wrong.errors.contains("password"), "\(wrong.transcript)")
        }
    }

    @Test("a service starts beside an app whose file has lost its key; that app has an alarm, the other one sends")
    func service() async throws {
        let files = try await Files()
        try await SimulatedAPNs.run { apns in
            let data = files.path("data")
            let pair = try files.join("own.crt", "own.key", into: "pair.pem")
            let key = try apns.keyPath
            for arguments in [
                ["--topic", "com.example.ferry", "--certificate", pair],
                ["--topic", "com.example.chime", "--key", key, "--team-id", "SIMTEAM001"],
            ] {
                let added = try await CarillonProgram.run(["apps", "add", "--data", data] + arguments)
                try #require(added.status == 0, "\(added.transcript)")
            }
            let imported = files.path("devices.ndjson")
            let row = #"{"token": "\#(String(repeating: "ab", count: 32))", "user": "u", "environment": "production"}"#
            try Data(row.utf8).write(to: URL(fileURLWithPath: imported))
            let devices = try await CarillonProgram.run([
                "devices", "import", "--data", data, "--topic", "com.example.ferry", imported,
            ])
            try #require(devices.status == 0, "\(devices.transcript)")
            let made = try await CarillonProgram.run([
                "api-keys", "create", "--data", data, "--name", "shell", "--topic", "com.example.ferry",
            ])
            let apiKey = String(try #require(made.output.split(separator: " ").first))
            // Somebody renews the certificate and exports it without its key.
            try FileManager.default.removeItem(atPath: pair)
            try await files.openssl(
                "pkcs12", "-export", "-nokeys", "-in", files.path("own.crt"), "-passout", "pass:", "-out", pair)
            let service = try RunningProgram(
                ["serve", "--data", data, "--topic", "com.example.chime", "--port", "0"] + apns.serviceArguments())
            var base: String?
            for await line in service.lines where line.hasPrefix(ReadyLine.prefix) {
                base = String(line.dropFirst(ReadyLine.prefix.count))
                break
            }
            let address = try #require(base)
            let sent = try await CarillonProgram.run([
                "messages", "send", "--url", address, "--key", apiKey, "--user", "u", "--body", "Hi", "--id", "m",
            ])
            #expect(sent.status == 0, "\(sent.transcript)")
            var health: JSONValue = [:]
            while health["alarms"]?.arrayValue?.isEmpty ?? true {
                let request = URLRequest(url: try #require(URL(string: address + "/healthz")))
                health = try JSONValue(parsing: try await ProgramSession.own.data(for: request).0)
                try #require(service.isRunning)
            }
            let alarm = health["alarms"]?.arrayValue?.first
            #expect(alarm?["app"] == "com.example.ferry (production)", "\(health)")
            #expect(
                alarm?["reason"]?.stringValue?.contains("has a certificate and no private key") == true, "\(health)")
            #expect(await service.interrupt() == 0)
        }
    }
}
