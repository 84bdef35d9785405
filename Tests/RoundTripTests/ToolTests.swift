import CarillonCore
import Foundation
import TestSupport
import Testing

/// The tools of the command line, as a person uses them: one program serves as APNs, another sends to it.
@Suite("carillon push, validate and apns-simulator", .serialized)
struct ToolTests {
    @Test("push brings a payload to the simulated APNs and prints status and apns-id")
    func accepted() async throws {
        try await SimulatedAPNs.run { apns in
            let run = try await apns.push(#"{"aps":{"alert":"Breaking News!","link_url":"https://example.org"}}"#)
            #expect(run.status == 0, "\(run.transcript)")
            #expect(run.lines.first == "200 accepted")
            #expect(run.lines.contains { $0.hasPrefix("apns-id: ") })
            #expect(run.lines.contains { $0.hasPrefix("apns-unique-id: ") })
        }
    }

    @Test("a refusal prints status, reason and what to do about it, and exits with 1")
    func refused() async throws {
        try await SimulatedAPNs.run { apns in
            let alert = #"{"aps":{"alert":"x"}}"#
            let unknown = try await apns.push(alert, token: String(repeating: "ab", count: 32), more: ["--json"])
            let answer = try JSONValue(parsing: unknown.output)
            #expect(unknown.status == 1)
            #expect(answer["status"] == 400 && answer["reason"] == "BadDeviceToken")
            #expect(answer["remedy"]?.stringValue?.contains("sandbox") == true)

            let empty = try await apns.push("{}")
            #expect(empty.status == 1 && empty.lines.first == "400 PayloadEmpty")

            let otherTeam = try await apns.push(alert, team: "OTHERTEAM1")
            #expect(otherTeam.status == 1 && otherTeam.lines.first == "403 InvalidProviderToken")
        }
    }

    @Test("an APNs that cannot be reached or is not trusted got nothing: exit status 1, and what to do")
    func unreachable() async throws {
        try await SimulatedAPNs.run { apns in
            let nobody = try await apns.push(
                #"{"aps":{"alert":"x"}}"#, url: "https://127.0.0.1:1", more: ["--timeout", "2"])
            #expect(nobody.status == 1, "\(nobody.transcript)")
            #expect(nobody.output.contains("connection refused: nothing listens on that port"))
            #expect(nobody.output.contains("what to do: "))
            let untrusted = try await apns.push(
                #"{"aps":{"alert":"x"}}"#, trusts: false, more: ["--timeout", "2"])
            #expect(untrusted.status == 1 && untrusted.output.contains("untrustedAuthority"), "\(untrusted.transcript)")
            #expect(untrusted.output.contains("what to do: give --ca FILE") && !untrusted.output.contains("safe"))
            let large = try await apns.push(
                #"{"aps":{"alert":"\#(String(repeating: "x", count: 5000))"}}"#, more: ["--timeout", "2"])
            #expect(large.status == 1 && large.output.contains("with push type alert it may have 4096."))
            let nowhere = try await apns.push(
                #"{"aps":{"alert":"x"}}"#, url: "https://no-such-host.invalid", more: ["--timeout", "2"])
            #expect(nowhere.status == 1 && nowhere.output.contains("cannot be resolved"), "\(nowhere.transcript)")
        }
    }

    @Test("the simulator ends cleanly with Ctrl-C, and a second start offers the same key and authority")
    func secondStart() async throws {
        let folder = try TemporaryFolder()
        var keys: [String] = []
        for _ in 0..<2 {
            let apns = try await SimulatedAPNs.start(in: folder)
            keys.append(try apns.text("key") + apns.text("ca"))
            #expect(await apns.stop() == 0)
        }
        #expect(keys.count == 2 && keys[0] == keys[1])
    }

    @Test("an answer that never came may have been sent: exit status 2")
    func inDoubt() async throws {
        try await SimulatedAPNs.run { apns in
            try await apns.loseAnswers()
            let lost = try await apns.push(#"{"aps":{"alert":"x"}}"#, more: ["--timeout", "2"])
            #expect(lost.status == 2 && lost.output.contains("unknown: "), "\(lost.transcript)")
        }
    }

    @Test("the version is that of the changelog's newest section, or one before its release")
    func version() async throws {
        let run = try await CarillonProgram.run(["--version"], input: "")
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let changelog = try String(contentsOf: root.appending(path: "CHANGELOG.md"), encoding: .utf8)
        let newest = try #require(changelog.split(separator: "\n").first { $0.hasPrefix("## ") }).dropFirst(3)
        let version = try #require(run.lines.first)
        #expect(run.status == 0 && run.lines.count == 1, "\(run.transcript)")
        #expect(newest == "Unreleased" ? version.hasSuffix("-dev") : newest.contains(version))
    }

    @Test("validate explains every key, and its exit status says whether APNs would take it")
    func explained() async throws {
        let good = try await CarillonProgram.run("validate", "-", input: #"{"aps":{"alert":"Hi","badge":1},"own":[1]}"#)
        #expect(good.status == 0, "\(good.transcript)")
        for key in ["aps.alert", "aps.badge", "own"] { #expect(good.output.contains("✔ \(key)")) }

        let bad = try await CarillonProgram.run("validate", "-", input: #"{"aps":{}}"#)
        #expect(bad.status == 1 && bad.output.contains("✘ "), "\(bad.transcript)")

        let noJSON = try await CarillonProgram.run("validate", "-", input: "{")
        #expect(noJSON.status == 1 && noJSON.output.contains("This is not valid JSON: "))
    }

    @Test(
        "validate says of a push that APNs refuses nothing but that, as text and as JSON, and exits with 1",
        arguments: [
            (#"{"aps":{"content-available":1}}"#, ["--priority", "10"], "BadPriority"),
            (#"{"aps":{"alert":"Hi"}}"#, ["--priority", "7"], "BadPriority"),
            (#"{"aps":{}}"#, [String](), "PayloadEmpty"),
            (#"{"own":1}"#, ["--strict", "--push-type", "alert"], "PayloadEmpty"),
            (#"{"aps":{"alert":"\#(String(repeating: "x", count: 4096))"}}"#, [String](), "PayloadTooLarge"),
        ])
    func refused(payload: String, options: [String], reason: String) async throws {
        let text = try await CarillonProgram.run(["validate", "-"] + options, input: payload)
        #expect(text.status == 1, "\(text.transcript)")
        #expect(text.lines.filter { $0.hasPrefix("→") } == ["→ Nothing happens: APNs answers \(reason)."])
        #expect(!text.output.contains("wakes the app") && !text.output.contains("Shown as a banner"))
        let json = try await CarillonProgram.run(["validate", "-", "--json"] + options, input: payload)
        #expect(json.status == 1 && json.output.contains(#""\#(reason)""#), "\(json.transcript)")
    }

    @Test(
        "a mistake on the command line is one clear sentence",
        arguments: [
            (["validate", "/nowhere.json"], "there is no such file"),
            (["push", "--token", "zz", "--topic", "t", "--payload", "-"], "--token is not a device token"),
            (["keys", "request", "--name", "x", "--private-key", "/proc/none"], "the file cannot be created"),
            (["keys", "check", "--topic", "t", "--key", "/nowhere.p8", "--team-id", "T"], "no such file"),
            (["apns-simulator", "--port", "70000", "--directory", "/tmp/x"], "--port must be between 0 and 65535"),
            (["serve", "--data", "/proc/none", "--topic", "t", "--role", "api"], "the folder cannot be created"),
            (["serve", "--data", "/tmp", "--topic", "t"], "say where to send"),
            (["serve", "--data", "/tmp", "--role", "api", "--no-listen"], "--no-listen is for --database"),
            (["api-keys", "revoke", "--data", "/proc/none", "id"], "there is no database of a service"),
            (["api-keys", "create", "--data", "/proc/none", "--name", "n"], "the folder cannot be created"),
        ])
    func mistakes(arguments: [String], sentence: String) async throws {
        let run = try await CarillonProgram.run(arguments, input: "{}")
        #expect(run.status != 0)
        #expect(run.errors.contains(sentence), "\(run.transcript)")
        #expect(!run.errors.contains("Usage: carillon <subcommand>"), "the usage is not the command's own")
    }

    @Test("a reader that goes away ends a command without a word, as shells expect")
    func closedPipe() async throws {
        let carillon = try CarillonProgram.executable().path
        let run = try await CarillonProgram.runTool(
            "bash", "-c", "\"\(carillon)\" demo | head -1; exit ${PIPESTATUS[0]}")
        #expect(run.status == 141 && run.lines.count == 1 && run.errors.isEmpty, "\(run.transcript)")
    }
}
