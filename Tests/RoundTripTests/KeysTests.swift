import CarillonCore
import Foundation
import TestSupport
import Testing

/// `carillon keys`, as a person uses it before the first push.
@Suite("carillon keys", .serialized)
struct KeysTests {
    @Test("request makes a key that only its owner can read and a signing request, and overwrites neither")
    func request() async throws {
        let folder = try TemporaryFolder()
        let (key, request) = (folder.url.path + "/push.key", folder.url.path + "/push.csr")
        let arguments = [
            "keys", "request", "--name", "Chime push", "--email", "ops@example.com", "--private-key", key, "--request",
            request,
        ]
        let run = try await CarillonProgram.run(arguments)
        #expect(run.status == 0, "\(run.transcript)")
        let permissions = try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions] as? Int
        #expect(permissions == 0o600)
        let text = try String(contentsOfFile: request, encoding: .utf8)
        #expect(text.hasPrefix("-----BEGIN CERTIFICATE REQUEST-----"))
        let keyText = try String(contentsOfFile: key, encoding: .utf8)
        #expect(keyText.hasPrefix("-----BEGIN PRIVATE KEY-----"))

        let again = try await CarillonProgram.run(arguments)
        #expect(again.status != 0 && again.errors.contains("not overwritten"), "\(again.transcript)")
        try FileManager.default.removeItem(atPath: key)
        #expect(try await CarillonProgram.run(arguments).status != 0, "the request is still there")
        #expect(try String(contentsOfFile: request, encoding: .utf8) == text)
        #expect(!FileManager.default.fileExists(atPath: key), "nothing is left half-done")
    }

    @Test("openssl confirms the request, its name in any language, and that the key belongs to it")
    func confirmed() async throws {
        let folder = try TemporaryFolder()
        let (key, request) = (folder.url.path + "/push.key", folder.url.path + "/push.csr")
        let run = try await CarillonProgram.run(
            "keys", "request", "--name", "Chime é 通知", "--private-key", key, "--request", request)
        #expect(run.status == 0, "\(run.transcript)")
        let checked = try await CarillonProgram.runTool(
            "openssl", "req", "-verify", "-noout", "-subject", "-nameopt", "utf8", "-in", request)
        #expect(checked.status == 0 && checked.output.contains("Chime é 通知"), "\(checked.transcript)")
        let modulus = try await CarillonProgram.runTool("openssl", "req", "-noout", "-modulus", "-in", request)
        let own = try await CarillonProgram.runTool("openssl", "rsa", "-noout", "-modulus", "-in", key)
        #expect(modulus.status == 0 && modulus.output == own.output)
    }

    @Test("check says when a certificate ends, and warns in its last 30 days")
    func certificateEnd() async throws {
        let folder = try TemporaryFolder()
        for (days, warns) in [(10, true), (300, false)] {
            let (pem, key) = (folder.url.path + "/\(days).pem", folder.url.path + "/\(days).key")
            let made = try await CarillonProgram.runTool(
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                "\(days)", "-subj", "/UID=com.example.chime/CN=x", "-keyout", key, "-out", pem)
            #expect(made.status == 0, "\(made.transcript)")
            let both = try String(contentsOfFile: pem, encoding: .utf8) + String(contentsOfFile: key, encoding: .utf8)
            try Data(both.utf8).write(to: URL(fileURLWithPath: pem))
            let arguments = ["keys", "check", "--certificate", pem, "--url", "https://127.0.0.1:1", "--timeout", "1"]
            let run = try await CarillonProgram.run(arguments)
            #expect(run.status == 2 && run.output.contains("the certificate ends on 20"), "\(run.transcript)")
            let warning = "warning: The certificate for com.example.chime ends on"
            #expect(run.errors.contains(warning) == warns, "\(run.transcript)")
            let json = try JSONValue(parsing: try await CarillonProgram.run(arguments + ["--json"]).output)
            #expect(try [days - 1, days].contains(#require(json["certificate_days_left"]?.intValue)))
        }
    }

    @Test("check tells a good key from a wrong topic, a wrong team, and an APNs that cannot be asked")
    func check() async throws {
        try await SimulatedAPNs.run { apns in
            let good = try await apns.check(topic: "com.example.chime")
            #expect(good.status == 0 && good.output.contains("good (400 BadDeviceToken)"), "\(good.transcript)")

            let otherTopic = try await apns.check(topic: "com.example.other")
            #expect(otherTopic.status == 1 && otherTopic.output.contains("TopicDisallowed"), "\(otherTopic.transcript)")

            let otherTeam = try await apns.check(topic: "com.example.chime", team: "OTHERTEAM1", more: ["--json"])
            let verdict = try JSONValue(parsing: otherTeam.output)["checks"]?.arrayValue?.first
            #expect(
                otherTeam.status == 1 && verdict?["answer"] == "403 InvalidProviderToken", "\(otherTeam.transcript)")

            let nobody = try await apns.check(
                topic: "com.example.chime", url: "https://127.0.0.1:1", more: ["--timeout", "1"])
            #expect(nobody.status == 2, "\(nobody.transcript)")
        }
    }

    @Test("a key is read from a pipe and from an environment variable, as containers hand it over")
    func handedOver() async throws {
        let folder = try TemporaryFolder()
        let key = folder.url.path + "/key.p8"
        let ids = "--key-id ABCDE12345 --team-id TEAM123456"
        let program = try CarillonProgram.executable().path
        let made = try await CarillonProgram.runTool(
            "openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key)
        try #require(made.status == 0, "\(made.transcript)")
        for command in [
            "cat '\(key)' | '\(program)' keys token --key /dev/stdin \(ids)",
            "CARILLON_KEY=\"$(cat '\(key)')\" '\(program)' keys token \(ids)",
        ] {
            let run = try await CarillonProgram.runTool("sh", "-c", command)
            #expect(run.status == 0 && run.output.hasPrefix("eyJ"), "\(run.transcript)")
        }
    }

    @Test("token prints a JSON Web Token and nothing else")
    func token() async throws {
        try await SimulatedAPNs.run { apns in
            let run = try await apns.token()
            #expect(run.status == 0 && run.lines.count == 1)
            #expect(run.lines.first?.split(separator: ".").count == 3, "\(run.transcript)")
        }
    }
}
