import CarillonCore
import Foundation
import TestSupport
import Testing

@Suite("carillon apps, api-keys and sign-in-keys")
struct AppsCommandTests {
    private func run(_ folder: TemporaryFolder, _ arguments: String...) async throws -> ProgramRun {
        var arguments = arguments
        arguments.insert(contentsOf: ["--data", folder.url.appending(path: "data").path], at: 2)
        return try await CarillonProgram.run(arguments)
    }

    @Test(
        "apps are added, changed and listed with where their credentials are, and keys are for the apps that are named")
    func story() async throws {
        try await SimulatedAPNs.run { apns in
            let folder = try TemporaryFolder()
            let key = try apns.keyPath
            #expect(try await run(folder, "apps", "list").errors.contains("there is no database of a service"))
            #expect(try await run(folder, "api-keys", "create", "--name", "first").status == 0)
            #expect(try await run(folder, "api-keys", "list").output.contains("no app yet  first"))

            let added = try await run(folder, "apps", "add", "--topic", "com.example.chime", "--require-sign-in")
            #expect(added.output.contains("com.example.chime  sign-in required  production: no credential"))
            #expect(try await run(folder, "api-keys", "list").output.contains("com.example.chime  first"))
            let changed = try await run(
                folder, "apps", "add", "--topic", "com.example.chime", "--key", key, "--team-id", "SIMTEAM001",
                "--environment", "sandbox", "--no-require-sign-in")
            #expect(changed.output.contains("sign-in optional  production: no credential; sandbox: key "))
            let limited = try await run(
                folder, "apps", "add", "--topic", "com.example.chime", "--sends-per-second", "50")
            #expect(limited.output.contains("sign-in optional  50 pushes a second  production:"))
            let free = try await run(folder, "apps", "add", "--topic", "com.example.chime", "--sends-per-second", "0")
            #expect(!free.output.contains("a second"))
            _ = try await run(folder, "apps", "add", "--topic", "com.example.ferry")
            #expect(try await run(folder, "apps", "list").output.split(separator: "\n").count == 2)

            let which = try await run(folder, "api-keys", "create", "--name", "second")
            #expect(which.errors.contains("com.example.chime, com.example.ferry"))
            let named = try await run(
                folder, "api-keys", "create", "--name", "both", "--topic", "com.example.chime", "--topic",
                "com.example.ferry", "--scope", "users")
            #expect(named.status == 0)
            let keys = try await run(folder, "api-keys", "list").output
            #expect(keys.contains("users  active  never used  com.example.chime,com.example.ferry  both"))

            let made = try await run(folder, "sign-in-keys", "create", "--topic", "com.example.ferry")
            let id = try #require(try JSONValue(parsing: made.output)["kid"]?.stringValue)
            #expect(
                try await run(folder, "sign-in-keys", "list", "--topic", "com.example.ferry").output
                    .contains("\(id)  HS256  active"))
            #expect(try await run(folder, "sign-in-keys", "list").errors.contains("--topic is missing"))
        }
    }

    @Test("a key expires, is replaced by one like it, and the audit list tells who did so and notices a change")
    func keyLife() async throws {
        let folder = try TemporaryFolder()
        _ = try await run(folder, "apps", "add", "--topic", "com.example.chime")
        let made = try await run(folder, "api-keys", "create", "--name", "backend", "--expires-in", "30")
        let id = try #require(made.output.split(separator: "_").dropFirst().first.map { String($0) })
        #expect(try await run(folder, "api-keys", "list").output.contains("\(id)  read,send  active until 20"))
        let rotated = try await run(folder, "api-keys", "rotate", id, "--overlap", "0")
        #expect(rotated.status == 0 && rotated.output != made.output, "\(rotated.transcript)")
        let keys = try await run(folder, "api-keys", "list").output.split(separator: "\n")
        #expect(keys.count == 2 && keys[0].contains("  expired 20"), "\(keys)")
        #expect(keys.last?.hasSuffix("  active  never used  com.example.chime  backend") == true, "\(keys)")
        let unknown = try await run(folder, "api-keys", "rotate", "none")
        #expect(unknown.status == 64 && unknown.errors.contains("no key has the id none"), "\(unknown.transcript)")

        let data = folder.url.appending(path: "data").path
        func audit(_ arguments: String...) async throws -> ProgramRun {
            try await CarillonProgram.run(["audit", "--data", data] + arguments)
        }
        let lines = try await audit().output.split(separator: "\n").map { $0.components(separatedBy: "  ") }
        #expect(lines.map { $0[3] } == ["app-added", "api-key-created", "api-key-rotated"], "\(lines)")
        #expect(lines.allSatisfy { $0[2].hasPrefix("\(NSUserName()) on ") }, "\(lines)")
        let json = try await audit("--json", "--last", "1")
        #expect(try JSONValue(parsing: json.output)["action"] == "api-key-rotated", "\(json.transcript)")
        let checked = try await audit("--verify")
        #expect(checked.output.hasPrefix("3 entries are unchanged; number 3 of "), "\(checked.transcript)")
        let digest = try #require(checked.output.split(separator: " ").last?.trimmingCharacters(in: .newlines))
        #expect(try await audit("--verify", "--digest", digest).status == 0)
        let other = try await audit("--verify", "--digest", String(repeating: "0", count: 64))
        #expect(other.status == 1 && other.output.contains("entries are missing"), "\(other.transcript)")
        #expect(try await audit("--digest", digest).errors.contains("--digest needs --verify"))
    }

    @Test("test tries each app's credentials against APNs, and ends with 1 if one is refused or missing")
    func tries() async throws {
        try await SimulatedAPNs.run { apns in
            let folder = try TemporaryFolder()
            let url = [
                "--url", "https://localhost:\(try apns.port)", "--ca", try #require(apns.summary["ca"]?.stringValue),
            ]
            _ = try await run(
                folder, "apps", "add", "--topic", "com.example.chime", "--key", try apns.keyPath, "--team-id",
                "SIMTEAM001")
            func test(_ arguments: [String]) async throws -> ProgramRun {
                let data = folder.url.appending(path: "data").path
                return try await CarillonProgram.run(["apps", "test", "--data", data] + url + arguments)
            }
            let good = try await test([])
            #expect(
                good.status == 0 && good.output.contains("com.example.chime: good (400 BadDeviceToken)"),
                "\(good.transcript)")
            _ = try await run(folder, "apps", "add", "--topic", "com.example.ferry")
            let missing = try await test([])
            #expect(
                missing.status == 1 && missing.output.contains("com.example.ferry: no credential"),
                "\(missing.transcript)")
            #expect(try await test(["--topic", "com.example.chime"]).status == 0)
            _ = try await run(
                folder, "apps", "add", "--topic", "com.example.ferry", "--key", try apns.keyPath, "--team-id",
                "OTHERTEAM1")
            let refused = try await test(["--topic", "com.example.ferry"])
            #expect(
                refused.status == 1 && refused.output.contains("com.example.ferry: refused"), "\(refused.transcript)")
        }
    }

    @Test("a new credential takes the place of the old one, in the environments that have one")
    func rotates() async throws {
        try await SimulatedAPNs.run { apns in
            let folder = try TemporaryFolder()
            let (old, new) = (try apns.keyPath, folder.url.appending(path: "AuthKey_SIMKEY0001.p8").path)
            try FileManager.default.copyItem(atPath: old, toPath: new)
            let credential = ["--key", new, "--team-id", "SIMTEAM001"]
            func rotate(_ arguments: [String]) async throws -> ProgramRun {
                let data = folder.url.appending(path: "data").path
                return try await CarillonProgram.run(["apps", "rotate", "--data", data] + arguments)
            }
            #expect(try await rotate(credential).errors.contains("there is no database of a service"))
            _ = try await run(
                folder, "apps", "add", "--topic", "com.example.chime", "--key", old, "--team-id", "SIMTEAM001",
                "--environment", "sandbox", "--require-sign-in")
            #expect(try await rotate([]).errors.contains("--key or --certificate is missing"))
            #expect(try await rotate(["--key", "/proc/none", "--team-id", "SIMTEAM001"]).status != 0)
            let rotated = try await rotate(credential)
            #expect(
                rotated.output.contains(
                    "sign-in required  production: no credential; sandbox: key SIMKEY0001 of team SIMTEAM001 in \(new)"),
                "\(rotated.transcript)")
            #expect(try await run(folder, "apps", "list").output == rotated.output)
        }
    }

    @Test("an app is removed after a question that --yes answers, with what it has said before, and is in no list then")
    func removes() async throws {
        let folder = try TemporaryFolder()
        let (chime, ferry) = ("com.example.chime", "com.example.ferry")
        func remove(_ arguments: String...) async throws -> ProgramRun {
            let data = folder.url.appending(path: "data").path
            return try await CarillonProgram.run(["apps", "remove", "--data", data] + arguments)
        }
        #expect(try await remove("--topic", ferry, "--yes").errors.contains("there is no database of a service"))
        for topic in [chime, ferry] { _ = try await run(folder, "apps", "add", "--topic", topic) }
        _ = try await run(folder, "api-keys", "create", "--name", "own", "--topic", ferry)
        _ = try await run(folder, "api-keys", "create", "--name", "both", "--topic", ferry, "--topic", chime)
        _ = try await run(folder, "sign-in-keys", "create", "--topic", ferry)

        let unknown = try await remove("--topic", "com.example.x", "--yes")
        #expect(unknown.status == 64, "\(unknown.transcript)")
        #expect(
            unknown.errors.contains("there is no such app; the apps are \(chime), \(ferry)"), "\(unknown.transcript)")
        let unasked = try await remove("--topic", ferry)
        #expect(unasked.status == 64 && unasked.errors.contains("this is no terminal: --yes"), "\(unasked.transcript)")
        let dry = try await remove("--topic", ferry, "--dry-run", "--yes")
        #expect(dry.status == 0 && dry.output.hasPrefix("\(ferry) would be removed"), "\(dry.transcript)")
        for part in ["credentials: none", "sign-in keys: 1", "(own)\n", "(both)\n", "devices: 0", "messages: 0\n"] {
            #expect(dry.output.contains(part), "\(part): \(dry.transcript)")
        }
        #expect(try await run(folder, "apps", "list").output.split(separator: "\n").count == 2)

        let removed = try await remove("--topic", ferry, "--yes")
        #expect(removed.status == 0 && removed.output.contains("\(ferry) is removed; "), "\(removed.transcript)")
        let list = try await run(folder, "apps", "list")
        #expect(list.output.hasPrefix(chime) && list.output.split(separator: "\n").count == 1, "\(list.transcript)")
        #expect(list.errors.hasPrefix("\(ferry) was removed at 20"), "\(list.transcript)")
        let again = try await remove("--topic", ferry)
        #expect(again.status == 0 && again.output == list.errors, "\(again.transcript)")
        let keys = try await run(folder, "api-keys", "list").output.split(separator: "\n")
        #expect(keys.first?.contains("revoked") == true && keys.first?.hasSuffix("no app  own") == true, "\(keys)")
        #expect(keys.last?.hasSuffix("active  never used  \(chime)  both") == true, "\(keys)")
        let data = folder.url.appending(path: "data").path
        let audit = try await CarillonProgram.run(["audit", "--data", data, "--topic", ferry]).output
        #expect(audit.contains("  \(NSUserName()) on ") && audit.contains("  app-removed  \(ferry)"), "\(audit)")

        let added = try await run(folder, "apps", "add", "--topic", ferry)
        #expect(added.status == 0 && added.output.contains("\(ferry)  sign-in optional"), "\(added.transcript)")
        #expect(try await run(folder, "sign-in-keys", "list", "--topic", ferry).output.isEmpty)
    }

    @Test("devices that were set aside are released by reason and time, and a wrong time is said to be one")
    func releases() async throws {
        let folder = try TemporaryFolder()
        #expect(try await run(folder, "devices", "release").errors.contains("there is no database of a service"))
        _ = try await run(folder, "apps", "add", "--topic", "com.example.chime")
        let none = try await run(
            folder, "devices", "release", "--reason", "BadDeviceToken", "--since", "2026-11-25T09:00:00Z")
        #expect(none.output == "0 devices are sent to again\n", "\(none.transcript)")
        let wrong = try await run(folder, "devices", "release", "--since", "yesterday")
        #expect(wrong.status == 64 && wrong.errors.contains("--since is a time such as"), "\(wrong.transcript)")
    }

    @Test("CARILLON_KEY needs no ids where the app has its credential, and is the key of an app that gets them")
    func keyInEnvironment() async throws {
        try await SimulatedAPNs.run { apns in
            let folder = try TemporaryFolder()
            let (data, key) = (folder.url.appending(path: "data").path, try apns.keyPath)
            func shell(_ command: String) async throws -> ProgramRun {
                let program = try CarillonProgram.executable().path
                return try await CarillonProgram.runTool(
                    "sh", "-c", "CARILLON_KEY=\"$(cat '\(key)')\"; export CARILLON_KEY; '\(program)' \(command)")
            }
            let serve =
                "serve --data '\(data)' --port 0 --apns-url https://localhost:\(try apns.port) --until-stdin-closes"
            let ids = "--key-id SIMKEY0001 --team-id SIMTEAM001"
            let new = try await shell("\(serve) --topic com.example.chime < /dev/null")
            #expect(new.status != 0 && new.errors.contains("--key-id is missing"), "\(new.transcript)")
            let added = try await shell("apps add --data '\(data)' --topic com.example.chime \(ids)")
            #expect(added.output.contains("of team SIMTEAM001 in env:CARILLON_KEY"), "\(added.transcript)")
            let known = try await shell("\(serve) --topic com.example.chime < /dev/null")
            #expect(known.status == 0, "\(known.transcript)")
            let pipe = try await shell(
                "apps add --data '\(data)' --topic com.example.x --key /dev/stdin \(ids) < '\(key)'")
            #expect(pipe.status != 0 && pipe.errors.contains("can be read only now"), "\(pipe.transcript)")
        }
    }

    @Test(
        "a mistake is one clear sentence, and makes no app",
        arguments: [
            (["apps", "add", "--topic", "a b"], "expected a bundle id"),
            (["apps", "add", "--topic", "t", "--environment", "sandbox"], "--environment needs --key"),
            (["api-keys", "create", "--name", ""], "--name must have 1 to 100 characters"),
            (["api-keys", "create", "--name", "red\u{1B}[31m"], "without control characters"),
            (
                ["api-keys", "create", "--name", "n", "--expires-in", "0"],
                "--expires-in must be between 1 and 3650 days"
            ),
            (["api-keys", "rotate", "id", "--overlap", "-1"], "--overlap"),
            (["audit", "--last", "0"], "--last must be between 1 and 1000000"),
            (["audit", "--verify", "--digest", "abc"], "--digest must have 64 hexadecimal digits"),
            (["apps", "add", "--topic", "t", "--sends-per-second", "-1"], "--sends-per-second"),
            (["apps", "add", "--topic", "t", "--team-id", "T"], "--key-id and --team-id need --key"),
            (["apps", "add", "--topic", "t", "--certificate", "/proc/none"], "there is no such file"),
            (["apps", "add", "--topic", "t", "--certificate-password", "p"], "would not be kept"),
            (["apps", "remove", "--yes"], "Missing expected argument '--topic <bundle id>'"),
            (["serve", "--topic", ""], "expected a bundle id"),
            (["serve", "--topic", "t", "--trusted-proxy", "localhost"], "expected an IP address"),
            (["serve", "--topic", "t", "--trusted-proxy", "10.0.0.7/8"], "write 10.0.0.0/8"),
            (["serve", "--topic", "t", "--trusted-proxy", "10.0.0.0/33"], "0 to 32 bits"),
            (
                ["serve", "--topic", "t", "--apns", "production", "--apns-ca", "/proc/none"],
                "--apns-ca /proc/none: there is no such file"
            ),
            (
                ["serve", "--topic", "t", "--apns", "production", "--key", "/proc/nope.p8", "--team-id", "T"],
                "--key /proc/nope.p8: there is no such file"
            ),
            (["apps", "add", "--topic", "t", "--key", "/proc/nope.p8"], "--key /proc/nope.p8: there is no such file"),
            (["serve", "--topic", "t", "--registrations-per-app=-1"], "0 or more"),
            (["serve", "--role", "api"], "--topic is missing"),
        ])
    func mistakes(_ arguments: [String], _ sentence: String) async throws {
        let folder = try TemporaryFolder()
        let data = folder.url.appending(path: "data").path
        let run = try await CarillonProgram.run(arguments + ["--data", data])
        #expect(run.status == 64)
        #expect(run.errors.contains(sentence), "\(run.transcript)")
        let list = try await CarillonProgram.run(["apps", "list", "--data", data])
        #expect(list.output.isEmpty)
    }
}
