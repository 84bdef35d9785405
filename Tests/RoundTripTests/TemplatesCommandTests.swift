import CarillonCore
import Foundation
import TestSupport
import Testing

@Suite("carillon templates")
struct TemplatesCommandTests {
    @Test("a template is stored from a file, shown, compared, taken back, sent with and removed")
    func story() async throws {
        try await ServiceProgram.run { service in
            let key = try await CarillonProgram.run([
                "api-keys", "create", "--data", service.folder.url.path, "--name", "shell", "--scope", "admin",
                "--scope", "send",
            ]).output.split(separator: " ").first
            func carillon(_ arguments: String...) async throws -> ProgramRun {
                try await CarillonProgram.run(
                    arguments + ["--url", service.base.absoluteString, "--key", String(key ?? "")])
            }
            let file = service.folder.url.appending(path: "shipped.json").path
            func put(_ text: String) async throws -> ProgramRun {
                try #"{"payload": {"aps": {"alert": "\#(text)"}}}"#.write(
                    toFile: file, atomically: true, encoding: .utf8)
                return try await carillon("templates", "put", "shipped", file)
            }
            #expect(try await carillon("templates", "list").output.contains("has no template"))
            let first = try await put("Order {{order}} is on its way 🚚")
            #expect(first.output.hasPrefix("shipped  version 1  "), "\(first.transcript)")
            #expect(try await put("Bestellung {{order}}").output.hasPrefix("shipped  version 2  "))
            let wrong = try await put("Order {{or der}}")
            #expect(wrong.status == 1 && wrong.errors.contains("/payload/aps/alert"), "\(wrong.transcript)")
            let compared = try await carillon("templates", "diff", "shipped", "1", "2")
            let lines = compared.output.split(separator: "\n").filter { !$0.hasPrefix("  ") }
            #expect(lines.map { $0.prefix(1) } == ["-", "+"], "\(compared.transcript)")
            #expect(lines.last?.contains("Bestellung {{order}}") == true)
            #expect(try await carillon("templates", "revert", "shipped", "1").output.hasPrefix("shipped  version 3  "))
            let versions = try await carillon("templates", "versions", "shipped").output.split(separator: "\n")
            #expect(versions.map { $0.prefix(9) } == ["version 3", "version 2", "version 1"])
            let shown = try await carillon("templates", "show", "shipped", "--version", "2")
            #expect(try JSONValue(parsing: shown.output)["payload"]?["aps"]?["alert"] == "Bestellung {{order}}")
            let rendered = try await carillon("templates", "render", "shipped", "--with", "order=a=b")
            #expect(
                try JSONValue(parsing: rendered.output)["payload"]?["aps"]?["alert"] == "Order a=b is on its way 🚚",
                "\(rendered.transcript)")
            let sent = try await carillon(
                "messages", "send", "--everyone", "--template", "shipped", "--with", "order=1", "--dry-run")
            #expect(sent.status == 0, "\(sent.transcript)")
            let lacking = try await carillon("messages", "send", "--everyone", "--template", "shipped")
            #expect(lacking.status == 1 && lacking.errors.contains("no value for \"order\""), "\(lacking.transcript)")
            let both = try await carillon("messages", "send", "--everyone", "--template", "shipped", "--body", "Hi")
            #expect(both.status != 0 && both.errors.contains("--template has the content"), "\(both.transcript)")
            let value = try await carillon("templates", "render", "shipped", "--with", "order")
            #expect(value.status != 0 && value.errors.contains("--with"), "\(value.transcript)")
            #expect(try await carillon("templates", "remove", "shipped").status == 0)
            let gone = try await carillon("templates", "show", "shipped")
            #expect(gone.status == 1 && gone.errors.contains("no template has the name"), "\(gone.transcript)")
        }
    }

    @Test("what a device got is listed with what became of it")
    func device() async throws {
        try await ServiceProgram.run { service in
            let key = try await CarillonProgram.run([
                "api-keys", "create", "--data", service.folder.url.path, "--name", "shell",
            ]).output.split(separator: " ").first
            let unknown = try await CarillonProgram.run([
                "devices", "messages", "none/other", "--url", service.base.absoluteString, "--key", String(key ?? ""),
            ])
            #expect(unknown.status == 1 && unknown.errors.contains("not registered"), "\(unknown.transcript)")
        }
    }
}
