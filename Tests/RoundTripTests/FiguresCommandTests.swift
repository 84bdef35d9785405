import CarillonCore
import CarillonServer
import Foundation
import TestSupport
import Testing

@testable import carillon

@Suite("carillon stats, users and devices")
struct FiguresCommandTests {
    @Test("what is kept of devices and of a user is listed, shown and erased from a shell, and figures are shown")
    func story() async throws {
        try await ServiceProgram.run { service in
            let folder = service.folder.url
            let file = folder.appending(path: "devices.csv").path
            try "token,user,tags\naa01,u-1,vip\naa02,,\n".write(toFile: file, atomically: true, encoding: .utf8)
            _ = try await CarillonProgram.run(["devices", "import", "--data", folder.path, file])
            let key = try await CarillonProgram.run([
                "api-keys", "create", "--data", folder.path, "--name", "shell", "--scope", "send", "--scope", "read",
                "--scope", "users",
            ]).output.split(separator: " ").first
            func carillon(_ arguments: String...) async throws -> ProgramRun {
                try await CarillonProgram.run(
                    arguments + ["--url", service.base.absoluteString, "--key", String(key ?? "")])
            }
            let listed = try await carillon("devices", "list", "--limit", "0")
            #expect(listed.status == 0 && listed.output.split(separator: "\n").count == 2, "\(listed.transcript)")
            let mine = try await carillon("devices", "list", "--user", "u-1", "--tag", "vip", "--json")
            let id = try #require(
                try JSONValue(parsing: mine.output)["installation"]?.stringValue, "\(mine.transcript)")
            let shown = try await carillon("devices", "show", id)
            #expect(try JSONValue(parsing: shown.output)["user"] == "u-1", "\(shown.transcript)")
            let wrong = try await carillon("devices", "list", "--state", "actve")
            #expect(wrong.status == 1 && wrong.errors.contains("did you mean active"), "\(wrong.transcript)")

            let sent = try await carillon("messages", "send", "--user", "u-1", "--body", "Hi", "--id", "m-1")
            #expect(sent.status == 0, "\(sent.transcript)")
            for form in [[], ["--json"]] {
                let recipients = try await CarillonProgram.run(
                    ["messages", "recipients", "m-1", "--url", service.base.absoluteString, "--key", String(key ?? "")]
                        + form)
                #expect(recipients.status == 0 && recipients.output.contains(id), "\(recipients.transcript)")
            }
            let user = try await carillon("users", "show", "u-1")
            #expect(user.output.contains(id) && user.output.contains("m-1  "), "\(user.transcript)")
            #expect(user.output.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.contains(id) })
            let kept = try await carillon("users", "show", "u-1", "--json")
            #expect(try JSONValue(parsing: kept.output)["messages"]?.arrayValue?.count == 1, "\(kept.transcript)")

            let stats = try await carillon("stats", "--from", "2026-01-01", "--to", "2026-12-31")
            #expect(stats.output.hasPrefix("2026-01-01 to 2026-12-31\n"), "\(stats.transcript)")
            #expect(stats.output.contains("accepted failed") && stats.output.contains("total"), "\(stats.transcript)")
            let json = try await carillon("stats", "--message", "m-1", "--json")
            #expect(try JSONValue(parsing: json.output)["message"] == "m-1", "\(json.transcript)")
            #expect(try await carillon("stats", "--campaigns").output.hasPrefix("campaign"))
            for arguments in [["--message", "m", "--campaign", "c"], ["--campaigns", "--campaign", "c"]] {
                let refused = try await CarillonProgram.run(["stats"] + arguments)
                #expect(refused.status == 64 && refused.errors.contains("--campaign"), "\(refused.transcript)")
            }

            let unasked = try await carillon("users", "erase", "u-1")
            #expect(unasked.status == 64 && unasked.errors.contains("--yes"), "\(unasked.transcript)")
            let erased = try await carillon("users", "erase", "u-1", "--devices", "--yes")
            #expect(erased.status == 0, "\(erased.transcript)")
            #expect(try await carillon("devices", "list", "--limit", "0").output.split(separator: "\n").count == 1)
        }
    }

    @Test("a table has 80 columns, failures come by their number, and times are bars")
    func lines() {
        var figures = Figures()
        (figures.accepted, figures.failed, figures.shown, figures.optOuts) = (12_345_678, 5, 8, 2)
        figures.unregistered = 1
        figures.failures = ["Unregistered": 4, "PayloadTooLarge": 1]
        figures.shownWithin = ["1": 4, "60": 2, "3600": 1, "more": 1]
        let table = FigureLines.table("day", [FigureLines.row("a campaign with quite a long name", figures)])
        #expect(table.joined(separator: "\n").split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(table)")
        #expect(table.joined().contains("12M"))
        let failures = FigureLines.failures(figures)
        #expect(failures.count == 5 && failures[1].contains("Unregistered"), "\(failures)")
        let times = FigureLines.times(figures)
        #expect(
            times.contains { $0.hasPrefix("within 1 min ") } && times.contains { $0.hasPrefix("later ") }, "\(times)")
        #expect(FigureLines.times(Figures()).isEmpty)
    }
}
