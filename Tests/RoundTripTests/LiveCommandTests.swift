import CarillonCore
import Foundation
import TestSupport
import Testing

@Suite("carillon live")
struct LiveCommandTests {
    @Test("a Live Activity is started, updated, shown and ended from a shell, and a mistake is named")
    func story() async throws {
        try await ServiceProgram.run { service in
            let key = try await CarillonProgram.run([
                "api-keys", "create", "--data", service.folder.url.path, "--name", "shell",
            ]).output.split(separator: " ").first
            func live(_ arguments: String...) async throws -> ProgramRun {
                try await CarillonProgram.run(
                    ["live"] + arguments + ["--url", service.base.absoluteString, "--key", String(key ?? "")])
            }
            let order = [
                "start", "match-7", "--user", "u-42", "--type", "MatchAttributes", "--state", #"{"goals": 0}"#,
                "--title", "It begins",
            ]
            func start(_ attributes: String) async throws -> ProgramRun {
                try await CarillonProgram.run(
                    ["live"] + order + ["--attributes", attributes, "--url", service.base.absoluteString]
                        + ["--key", String(key ?? "")])
            }
            let broken = try await start("{")
            #expect(broken.status != 0 && broken.errors.contains("--attributes is not JSON"), "\(broken.transcript)")
            let unnamed = try await start(#"{"home": "Ferrum"}"#)
            #expect(unnamed.status == 1 && unnamed.errors.contains("no attribute is"), "\(unnamed.transcript)")
            let started = try await start(#"{"match": "match-7"}"#)
            #expect(started.status == 0, "\(started.transcript)")
            #expect(try JSONValue(parsing: started.output)["reason"] == "not-signed-in")
            let updated = try await live("update", "match-7", "--state", #"{"goals": 1}"#, "--idempotency-key", "k")
            #expect(try JSONValue(parsing: updated.output)["revision"] == 2, "\(updated.transcript)")
            let late = try await live("update", "match-7", "--state", "{}", "--stale", "1")
            #expect(late.status == 1 && late.errors.contains("/stale-date"), "\(late.transcript)")
            let ended = try await live("end", "match-7", "--dismiss", "2027-01-31T12:00:00Z")
            #expect(try JSONValue(parsing: ended.output)["state"] == "ended", "\(ended.transcript)")
            let shown = try await live("show", "match-7")
            #expect(try JSONValue(parsing: shown.output)["content-state"] == ["goals": 1], "\(shown.transcript)")
        }
    }
}
