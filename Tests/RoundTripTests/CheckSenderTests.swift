import CarillonCore
import Foundation
import TestSupport
import Testing

@Suite("carillon check-sender checks a sender by its requests", .serialized, .timeLimit(.minutes(10)))
struct CheckSenderTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func check(_ options: [String], sender fault: String = "") async throws -> ProgramRun {
        let python = Self.root.appending(path: ".venv/bin/python").path
        let sender = Self.root.appending(path: "Tests/Senders/checked.py").path
        return try await CarillonProgram.run(["check-sender"] + options + ["--", python, sender, fault])
    }

    @Test("a sender that does what APNs asks for has no finding")
    func right() async throws {
        let folder = try TemporaryFolder()
        let page = folder.url.appending(path: "report.html")
        let run = try await check(["--html", page.path])
        #expect(run.status == 0, "\(run.transcript)")
        #expect(
            try String(contentsOf: page, encoding: .utf8).components(separatedBy: #"<tr class="good">"#).count == 40)
        #expect(run.output.contains("39 of 39 situations handled"), "\(run.transcript)")
    }

    @Test(
        "a planted fault is found, where it shows and nowhere else",
        arguments: [
            ("no-push-type", "plain", "apns-push-type is missing", "goaway"),
            ("connection-each", "one-connection", "5 connections for 5 pushes", "plain"),
            ("signs-each", "one-provider-token", "it signed a provider token for each push", "plain"),
            ("one-id", "own-ids", "several pushes have one apns-id", "plain"),
            ("sends-again", "new-reason", "it sent 4 requests for this token", "own-ids"),
            ("sends-again", "unregistered", "it sent 4 requests for this token", "plain"),
            ("keeps-token", "expired-provider-token", "1 of 1 pushes never arrived", "plain"),
            ("no-retry", "unavailable", "1 of 1 pushes never arrived", "unregistered"),
            ("storm", "outage", "requests for one push", "plain"),
            ("gives-up", "refused-stream", "1 of 1 pushes never arrived", "unavailable"),
            ("new-id", "lost-answer", "with another apns-id or with none", "plain"),
            ("hasty", "retry-after", "before the 3 seconds of Retry-After", "unavailable"),
            ("tls13", "tls-1.2", "the command made no connection", "plain"),
            ("ipv4", "ipv6", "the command made no connection", "plain"),
            ("waits-for-ever", "dead-connection", "still waiting at the end of its time", "plain"),
            ("adds-blanks", "largest-payload", "it made 4098 bytes of the 4096", "plain"),
            ("sends-again", "sandbox-token", "it sent 4 requests for this token", "plain"),
            ("claims-success", "sandbox-key", "the command reported success (status 0)", "plain"),
            ("fears-end", "last-day", "the command made no connection", "plain"),
            ("claims-success", "ended-certificate", "the command reported success (status 0)", "last-day"),
            ("gives-up", "goaway-before", "of 5 pushes never arrived", "unavailable"),
            ("hasty", "retry-after-500", "before the 3 seconds of Retry-After", "unavailable"),
            ("hasty", "retry-after-429", "before the 3 seconds of Retry-After", "too-many-requests"),
            ("claims-success", "cut-always", "the command reported success (status 0)", "plain"),
        ])
    func planted(fault: String, situation: String, finding: String, elsewhere: String) async throws {
        let run = try await check(["--json", "--only", situation, "--only", elsewhere], sender: fault)
        let report = try JSONValue(parsing: Data(run.output.utf8))
        let verdicts = report["situations"]?.arrayValue ?? []
        func verdict(_ name: String) -> JSONValue? { verdicts.first { $0["name"]?.stringValue == name } }
        let findings = verdict(situation)?["findings"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(run.status == 1 && findings.contains { $0.contains(finding) }, "\(run.transcript)")
        #expect(verdict(elsewhere)?["good"]?.boolValue == true, "\(run.transcript)")
    }

    @Test(
        "a situation into which a sender cannot be put is not played, and is no fault",
        arguments: [
            ("key-only", "last-day", "sends nothing with $APNS_CERTIFICATE"),
            ("own-payload", "largest-payload", "sends a payload of its own in the place of $APNS_PAYLOAD"),
        ])
    func unplayed(kind: String, situation: String, obstacle: String) async throws {
        let run = try await check(["--only", "plain", "--only", situation], sender: kind)
        #expect(run.status == 0, "\(run.transcript)")
        #expect(run.output.contains("1 of 1 situations handled, 1 not played"), "\(run.transcript)")
        #expect(run.output.contains(obstacle), "\(run.transcript)")
    }

    @Test("the report's page has a row for each situation, links to its sources, and nothing of the command as HTML")
    func page() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "report.html")
        let run = try await check(
            ["--html", file.path, "--only", "plain", "--only", "unavailable", "--only", "goaway"],
            sender: #"<script>alert("1")</script>&'"#)
        #expect(run.status == 0, "\(run.transcript)")
        let page = try String(contentsOf: file, encoding: .utf8)
        func count(_ text: String) -> Int { page.components(separatedBy: text).count - 1 }
        #expect(count("<tr class=") == 3 && count("</tr>") == 4)
        #expect(count("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;") == 2 && count("<script") == 0)
        #expect(
            page.contains(#"<a href="https://www.rfc-editor.org/rfc/rfc9113#section-6.8">RFC 9113, section 6.8</a>"#))
        #expect(page.contains("2 requests over 1 connection: 503 ServiceUnavailable, taken; it ended with status 0"))
        let nowhere = try await check(["--html", folder.url.path])
        #expect(nowhere.status == 64 && nowhere.errors.contains("--html \(folder.url.path): cannot be written"))
    }

    @Test("a command that waits for ever is ended, with what it has started")
    func forever() async throws {
        let run = try await check(["--only", "lost-answer", "--timeout", "2"], sender: "waits-for-ever")
        #expect(run.status == 1, "\(run.transcript)")
        #expect(run.output.contains("still waiting at the end of its time"), "\(run.transcript)")
        #expect(run.output.contains("stop waiting at some time"), "what is asked for: \(run.transcript)")
    }

    @Test("a signal ends the sender too, and leaves no folder with keys")
    func interrupted() async throws {
        let script = Self.root.appending(path: "Tests/Senders/interrupted.sh").path
        let run = try await CarillonProgram.runTool([
            "timeout", "60", "bash", script, CarillonProgram.executable().path,
        ])
        #expect(run.status == 0, "\(run.transcript)")
    }

    @Test("mistakes of whoever calls it are told")
    func mistakes() async throws {
        let none = try await CarillonProgram.run(["check-sender"])
        #expect(none.status == 64 && none.errors.contains("the sender's command is missing"), "\(none.transcript)")
        let unknown = try await CarillonProgram.run(["check-sender", "--only", "gaoway", "--", "true"])
        #expect(
            unknown.status == 64 && unknown.errors.contains("--only gaoway: there are plain"), "\(unknown.transcript)")
        for command in ["true", "/nowhere/sender"] {
            let idle = try await CarillonProgram.run(["check-sender", "--only", "plain", "--", command])
            #expect(idle.status == 2, "\(idle.transcript)")
            #expect(idle.output.contains("the command made no connection to $APNS_URL"), "\(idle.transcript)")
        }
        let list = try await CarillonProgram.run(["check-sender", "--list"])
        #expect(list.status == 0 && list.output.contains("goaway: APNs says GOAWAY"), "\(list.transcript)")
    }
}
