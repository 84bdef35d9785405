import ArgumentParser
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation

/// `carillon audit`: shows and checks the list of who changed what.
struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Shows who changed what: keys, apps, erasures, imports, recalls and settings.",
        discussion: """
            Each line has the entry's number, its time, who it was, what was done, the app, the id of the key or message, \
            and details. An erasure does not name the user. The database refuses to change or delete an entry. Each entry \
            also has a digest over all before it, so that --verify notices a change that was made past the database.

            Keep a digest somewhere else: with --digest, --verify also notices entries that are missing at the end.

            Examples:
              carillon audit --data ./data
              carillon audit --data ./data --topic com.example.chime --last 20
              carillon audit --data ./data --json | jq 'select(.action == "user-erased")'
              carillon audit --data ./data --verify --digest 5f0c…
            """)

    @OptionGroup var service: DataOption

    @Option(help: ArgumentHelp("The number of newest entries to show; 1 to 1000000.", valueName: "n"))
    var last = 100

    @Option(help: ArgumentHelp("Show entries about this app only.", valueName: "bundle id"))
    var topic: String?

    @Flag(help: "Print each entry as a JSON object in a line of its own.")
    var json = false

    @Flag(help: "Check all entries and show none. Exit status 1: an entry was changed or is missing.")
    var verify = false

    @Option(help: ArgumentHelp("With --verify: a digest that an earlier check printed.", valueName: "hex"))
    var digest: String?

    func validate() throws {
        guard (1...1_000_000).contains(last) else { throw ValidationError("--last must be between 1 and 1000000") }
        guard digest == nil || verify else { throw ValidationError("--digest needs --verify") }
        guard digest.map({ Data(hexadecimal: $0)?.count == 32 }) ?? true else {
            throw ValidationError("--digest must have 64 hexadecimal digits, as --verify prints them")
        }
        if let topic { try AppOption.check(topic) }
    }

    func run() async throws {
        let audit = try await service.existingStore().audit
        guard !verify else { return try await check(audit) }
        for entry in try await audit.entries(of: topic, limit: last).reversed() {
            try StandardOutput.write(json ? try Self.json(entry) : Self.line(entry))
        }
    }

    private func check(_ audit: AuditCalls) async throws {
        let result = try await audit.check(kept: digest.flatMap { Data(hexadecimal: $0) })
        if let broken = result.broken {
            try StandardOutput.write("entry \(broken) was changed, or entries before it are missing or were added")
        }
        if !result.hasKept { try StandardOutput.write("no entry has the digest of --digest: entries are missing") }
        guard result.broken == nil, result.hasKept else { throw ExitCode(1) }
        guard let last = result.last else { return try StandardOutput.write("the audit list is empty") }
        try StandardOutput.write(
            "\(result.count) entries are unchanged; number \(last.number) of \(last.moment) is the last, with the digest"
                + " \(last.digest.hexadecimal)")
    }

    private static func line(_ entry: AuditEntry) -> String {
        let texts = [entry.app ?? "", entry.subject, entry.details].filter { !$0.isEmpty }
        return (["\(entry.number)", "\(entry.moment)", entry.actor, entry.action] + texts).joined(separator: "  ")
    }

    private static func json(_ entry: AuditEntry) throws -> String {
        let members: [String: JSONValue] = [
            "number": .int(entry.number), "time": .string("\(entry.moment)"), "actor": .string(entry.actor),
            "action": .string(entry.action), "app": entry.app.map { .string($0) } ?? .null,
            "subject": .string(entry.subject), "details": .string(entry.details),
            "digest": .string(entry.digest.hexadecimal),
        ]
        return String(decoding: try JSONValue.object(members).encoded(), as: UTF8.self)
    }
}
