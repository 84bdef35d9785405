import CarillonCore
import Foundation
import TestSupport
import Testing

@Suite("carillon messages and carillon devices")
struct MessagesCommandTests {
    @Test(
        "a message is tried, sent, paused, resumed, cancelled and recalled from a shell, with texts and values from files"
    )
    func story() async throws {
        try await ServiceProgram.run { service in
            let key = try await CarillonProgram.run([
                "api-keys", "create", "--data", service.folder.url.path, "--name", "shell",
            ]).output.split(separator: " ").first
            func messages(_ arguments: String...) async throws -> ProgramRun {
                try await CarillonProgram.run(
                    ["messages"] + arguments + ["--url", service.base.absoluteString, "--key", String(key ?? "")])
            }
            let users = service.folder.url.appending(path: "users.json").path
            let texts = service.folder.url.appending(path: "texts.json").path
            try #"{"u-1": {"name": "Ada"}}"#.write(toFile: users, atomically: true, encoding: .utf8)
            try #"{"de": {"title": "Hallo {{name}}"}}"#.write(toFile: texts, atomically: true, encoding: .utf8)
            let tried = try await messages(
                "send", "--users", users, "--title", "Hello {{name}}", "--localized", texts, "--dry-run")
            #expect(tried.status == 0, "\(tried.transcript)")
            let answer = try JSONValue(parsing: tried.output)
            #expect(answer["dry_run"] == true && answer["variants"]?.arrayValue?.count == 2)
            let sent = try await messages(
                "send", "--everyone", "--body", "Hi", "--id", "m1", "--send-at", "4102444800", "--idempotency-key", "k")
            #expect(sent.errors.contains("/send_at") && sent.status == 1, "\(sent.transcript)")
            var repeated: Set<String> = []
            for key in ["k", "k", "l"] {
                let run = try await messages("send", "--everyone", "--body", "Hi", "--idempotency-key", key)
                let id = try JSONValue(parsing: run.output)["id"]?.stringValue
                repeated.insert(try #require(id, "\(run.transcript)"))
            }
            #expect(repeated.count == 2, "a repeated key is the same message")
            let moment = String(Int(Date.now.timeIntervalSince1970) + 3600)
            #expect(
                try await messages("send", "--everyone", "--body", "Hi", "--id", "m1", "--send-at", moment).status == 0)
            for (verb, state) in [
                ("pause", "paused"), ("resume", "scheduled"), ("cancel", "cancelled"), ("show", "cancelled"),
            ] {
                let run = try await messages(verb, "m1")
                #expect(try JSONValue(parsing: run.output)["state"]?.stringValue == state, "\(run.transcript)")
            }
            let listed = try await messages("list", "--state", "cancelled", "--id", "m")
            let line = listed.output.split(separator: "\n")
            #expect(
                listed.status == 0 && line.count == 1 && line.first?.hasPrefix("m1  ") == true, "\(listed.transcript)")
            #expect(listed.output.contains("cancelled  0 devices, 0 shown, 0 opened  Hi"), "\(listed.output)")
            let all = try await messages("list", "--json", "--limit", "0", "--since", "2026-01-01T00:00:00+00:00")
            let objects = try all.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
            #expect(objects.count == 3 && objects.first?["id"] == "m1", "\(all.transcript)")
            let nobody = try await messages("recipients", "m1", "--group", "not_shown")
            #expect(nobody.status == 0 && nobody.output.isEmpty, "\(nobody.transcript)")
            let wrong = try await messages("recipients", "m1", "--group", "showed")
            #expect(wrong.status == 1 && wrong.errors.contains("did you mean shown"), "\(wrong.transcript)")
            let watched = try await messages("show", "m1", "--watch")
            #expect(
                watched.status == 0 && watched.output.hasPrefix("m1: cancelled, 0 of 0 accepted"),
                "\(watched.transcript)")
            #expect(try JSONValue(parsing: await messages("recall", "m1").output)["state"] == "recalled")
            #expect(try JSONValue(parsing: await messages("count", "--where", "tag:vip").output) == ["devices": 0])
        }
    }

    @Test(
        "a mistake is one clear sentence",
        arguments: [
            (["send", "--body", "x", "--key", "k"], "one of --user"),
            (["send", "--everyone", "--user", "u", "--body", "x", "--key", "k"], "one of --user"),
            (["send", "--everyone", "--key", "k"], "--title"), (["pause", "a b", "--key", "k"], "a b"),
            (["send", "--everyone", "--payload", "/proc/none", "--key", "k"], "there is no such file"),
            (["show", "m", "--url", "ftp://x", "--key", "k"], "not an address"),
            (["show", "m", "--url", "http://127.0.0.1:9", "--key", "k"], "no response"),
            (["show", "m", "--key", ""], "CARILLON_API_KEY"),
        ])
    func mistakes(_ arguments: [String], _ words: String) async throws {
        let run = try await CarillonProgram.run(["messages"] + arguments)
        #expect(run.status != 0 && run.errors.contains(words), "\(run.transcript)")
    }

    @Test("a file is imported beside a running service, twice, with what is refused; standard input too")
    func devices() async throws {
        try await ServiceProgram.run { service in
            let file = service.folder.url.appending(path: "tokens.csv").path
            let lines = (0..<3000).map { "\(String(format: "%064x", $0)),u-\($0)" }
            try (["token,user"] + lines + ["xyz,u-1"]).joined(separator: "\n").write(
                toFile: file, atomically: true, encoding: .utf8)
            func run(_ arguments: String...) async throws -> ProgramRun {
                try await CarillonProgram.run(
                    ["devices", "import", "--data", service.folder.url.path] + arguments)
            }
            let first = try await run(file)
            #expect(first.status == 0, "\(first.transcript)")
            #expect(
                first.output.contains(
                    "3001 records: 3000 added, 0 updated, 0 unchanged, 0 registered already, 1 refused"))
            #expect(first.errors.contains("line 3002: has a token"), "\(first.errors)")
            #expect(try await run(file).output.contains("3000 unchanged"))
            let input = try await CarillonProgram.run(
                ["devices", "import", "--data", service.folder.url.path, "--format", "csv", "-"],
                input: "token,user\n\(String(format: "%064x", 0)),u-0\n\(String(format: "%064x", 3000)),u-3000\n")
            #expect(input.output.contains("2 records: 1 added, 0 updated, 1 unchanged"), "\(input.transcript)")
            let names = try FileManager.default.contentsOfDirectory(atPath: service.folder.url.path)
            #expect(!names.contains { $0.hasPrefix("import-") }, "nothing is left of a finished import")
            try "tokn\naa\n".write(toFile: file, atomically: true, encoding: .utf8)
            let wrong = try await run(file)
            #expect(wrong.status != 0 && wrong.errors.contains("no column token"), "\(wrong.transcript)")
            #expect(try await run("/proc/none").errors.contains("there is no such file"))
        }
    }

    @Test("after a kill it goes on where it was, or with --from-start begins anew; both leave nothing out")
    func killed() async throws {
        try await ServiceProgram.run { service in
            let (file, count) = (service.folder.url.appending(path: "tokens.ndjson").path, 6000)
            // Long lines, so that few are read at a time.
            let room = String(repeating: " ", count: 400)
            try (0..<count).map { #"{"token": "\#(String(format: "%064x", $0))"}\#(room)"# }.joined(separator: "\n")
                .write(toFile: file, atomically: true, encoding: .utf8)
            let arguments = ["devices", "import", "--data", service.folder.url.path, file]
            func positions() throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: service.folder.url.path)
                    .filter { $0.hasPrefix("import-") }
            }
            func killInBetween() async throws {
                // On a busy machine the program may end before it is killed; importing the file once more changes nothing.
                for _ in 0..<20 {
                    let program = try RunningProgram(arguments)
                    while try positions().isEmpty, program.isRunning { await Task.yield() }
                    await program.kill()
                    if try positions().count == 1 { return }
                }
                Issue.record("it was never killed before its end")
            }
            try await killInBetween()
            let whole = try await CarillonProgram.run(arguments + ["--from-start"])
            #expect(whole.output.hasPrefix("\(count) records: ") && whole.errors.isEmpty, "\(whole.transcript)")
            try await killInBetween()
            let rest = try await CarillonProgram.run(arguments)
            #expect(rest.errors.hasPrefix("going on after line "), "\(rest.transcript)")
            let unchanged = "\(count) records: 0 added, 0 updated, \(count) unchanged"
            #expect(rest.output == "\(unchanged), 0 registered already, 0 refused\n")
            #expect(try positions().isEmpty)
        }
    }

    @Test(
        "a proxy that asks for a password is named in a sentence, and does not hold the command up",
        .timeLimit(.minutes(5)))
    func challenged() async throws {
        let server = try WebServer(["/v1/notifications/m1": .challenge])
        defer { server.stop() }
        let run = try await CarillonProgram.run([
            "messages", "show", "m1", "--url", "http://127.0.0.1:\(server.port)", "--key", "k",
        ])
        #expect(run.status == 1 && run.errors.contains("asks for a user and a password"), "\(run.transcript)")
    }
}
