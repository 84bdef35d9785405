import ArgumentParser
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation

/// `carillon messages list`: lists an app's messages, the newest first.
struct MessagesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists messages, the newest first, a line each.",
        discussion: """
            A line has the id, the time of acceptance, the state, the numbers of devices, of those that have shown it and of \
            those on which it was opened, and the title. docs/lists.md.

            Examples:
              carillon messages list
              carillon messages list --state sending,paused --since 2027-01-31T00:00:00Z
              carillon messages list --audience everyone
              carillon messages list --user u-42 --limit 5 --json
            """)

    @OptionGroup var service: ServiceOptions

    @Option(help: ArgumentHelp("Only these states, with commas between them.", valueName: "states"))
    var state: String?

    @Option(help: "Only messages that went to this user's devices.")
    var user: String?

    @Option(help: ArgumentHelp("Only messages to this audience: named, everyone or condition.", valueName: "kind"))
    var audience: String?

    @Option(help: ArgumentHelp("Only messages with this text in their id.", valueName: "text"))
    var id: String?

    @Option(help: ArgumentHelp("Only messages accepted at this time or later (RFC 3339).", valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("Only messages accepted before this time (RFC 3339).", valueName: "time"))
    var before: String?

    @Option(help: "The greatest number of messages; 0 for all.")
    var limit = 20

    @Flag(help: "Print a JSON object a message, as the service's API has it.")
    var json = false

    func validate() throws {
        guard limit >= 0 else { throw ValidationError("--limit must be 0, for all, or greater") }
    }

    func run() async throws {
        var rest = limit == 0 ? Int.max : limit
        var query = [
            "state": state, "user": user, "id": id, "accepted_since": since, "accepted_before": before,
            "audience": audience,
        ]
        while rest > 0 {
            query["limit"] = "\(min(rest, CommandLimits.entriesPerCall))"
            let page = try CarillonJSON.decode(
                MessageList.self, from: await service.answer("GET", "/v1/notifications", query: query))
            for entry in page.notifications {
                try json
                    ? StandardOutput.write(json: CarillonJSON.encode(entry))
                    : StandardOutput.write(Self.line(of: entry))
            }
            rest -= page.notifications.count
            guard let next = page.next else { return }
            query["after"] = next
        }
    }

    private static func line(of entry: MessageList.Entry) -> String {
        let (report, counts) = (entry.report, entry.report.counts)
        let devices = "\(counts.devices) devices, \(counts.shown) shown, \(counts.opened) opened"
        let start = "\(report.id.rawValue)  \(report.acceptedAt)  \(report.state.rawValue)  \(devices)"
        return (entry.title.map { "\(start)  \($0)" } ?? start).onOneLine
    }
}

/// `carillon messages recipients`: lists the devices of a message.
struct MessagesRecipientsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recipients", abstract: "Lists who a message was for, and what became of it there.",
        discussion: """
            A line has the installation, the user or -, the state of the push, what the phone has reported, and the reason \
            where there is one. A group is a count of 'carillon messages show', or not_shown: accepted by APNs, and no sign \
            that the person could see it.

            Examples:
              carillon messages recipients news-1 --group not_shown
              carillon messages recipients news-1 --group rejected --json
            """)

    @OptionGroup var service: ServiceOptions
    @Argument(help: .messageID) var id: MessageID

    @Option(help: ArgumentHelp("Only devices of this group.", valueName: "group"))
    var group: String?

    @Flag(help: "Print a JSON object a device, as the service's API has it.")
    var json = false

    func run() async throws {
        var query = ["group": group, "limit": "\(CommandLimits.entriesPerCall)"]
        while true {
            let page = try CarillonJSON.decode(
                RecipientList.self,
                from: await service.answer("GET", "/v1/notifications/\(id)/recipients", query: query))
            for recipient in page.recipients {
                try json
                    ? StandardOutput.write(json: CarillonJSON.encode(recipient))
                    : StandardOutput.write(Self.line(of: recipient))
            }
            guard let next = page.next else { return }
            query["after"] = next
        }
    }

    private static func line(of recipient: RecipientList.Recipient) -> String {
        let receipts = recipient.receipts.map(\.rawValue).joined(separator: ",")
        let parts = [
            recipient.device, recipient.user ?? "-", recipient.state.rawValue, receipts.isEmpty ? "-" : receipts,
            recipient.reason,
        ]
        return parts.compactMap(\.self).joined(separator: "  ").onOneLine
    }
}

extension String {
    /// The text with a space for each control character, so that a text of others cannot move the cursor or end the line.
    var onOneLine: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
