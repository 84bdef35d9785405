import ArgumentParser
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation

extension DevicesCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists devices, the newest first, a line each.",
            discussion: """
                A line has the installation, its state, the permission for notifications, the day on which it was last seen, \
                and the user. Devices whose token APNs has not accepted yet are left out, except those of a user. \
                docs/lists.md.

                Examples:
                  carillon devices list --state quarantined,unregistered
                  carillon devices list --tag vip --limit 0 --json
                  carillon devices list --user u-42
                """)

        @OptionGroup var service: ServiceOptions

        @Option(help: ArgumentHelp("Only these states, with commas between them.", valueName: "states"))
        var state: String?

        @Option(help: "Only devices with this tag.")
        var tag: String?

        @Option(help: "Only devices on which this user is signed in.")
        var user: String?

        @Option(help: "The greatest number of devices; 0 for all.")
        var limit = 20

        @Flag(help: "Print a JSON object a device, as the service's API has it.")
        var json = false

        func validate() throws {
            guard limit >= 0 else { throw ValidationError("--limit must be 0, for all, or greater") }
        }

        func run() async throws {
            var rest = limit == 0 ? Int.max : limit
            var query = ["state": state, "tag": tag, "user": user]
            while rest > 0 {
                query["limit"] = "\(min(rest, CommandLimits.entriesPerCall))"
                let page = try JSONValue(parsing: await service.answer("GET", "/v1/devices", query: query))
                let devices = page["devices"]?.arrayValue ?? []
                for device in devices {
                    try json
                        ? StandardOutput.write(json: device.encoded()) : StandardOutput.write(DeviceLines(device).line)
                }
                rest -= devices.count
                guard let next = page["next"]?.stringValue else { return }
                query["after"] = next
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows what is known of a device.",
            discussion: """
                It shows neither the token nor the secret.

                Examples:
                  carillon devices show d-1
                """)

        @OptionGroup var service: ServiceOptions
        @Argument(help: "The installation's id.") var id: String

        func run() async throws {
            try StandardOutput.write(json: try await service.answer("GET", "/v1/devices", name: id))
        }
    }
}

extension DevicesCommand {
    struct Messages: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the messages for a device, the newest first, with what became of each there.",
            discussion: """
                A line has the message, the time of acceptance, the state of the push, what the phone has reported, the reason \
                where there is one, and the title. docs/lists.md.

                Examples:
                  carillon devices messages d-1
                  carillon devices messages d-1 --limit 0 --json
                """)

        @OptionGroup var service: ServiceOptions
        @Argument(help: "The installation's id.") var id: String

        @Option(help: "The greatest number of messages; 0 for all.")
        var limit = 20

        @Flag(help: "Print a JSON object a message, as the service's API has it.")
        var json = false

        func validate() throws {
            guard limit >= 0 else { throw ValidationError("--limit must be 0, for all, or greater") }
        }

        func run() async throws {
            var rest = limit == 0 ? Int.max : limit
            var query: [String: String?] = [:]
            while rest > 0 {
                query["limit"] = "\(min(rest, CommandLimits.entriesPerCall))"
                let page = try CarillonJSON.decode(
                    DeviceMessageList.self,
                    from: await service.answer("GET", "/v1/devices", name: id, list: "notifications", query: query))
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

        private static func line(of entry: DeviceMessageList.Entry) -> String {
            let receipts = entry.receipts.map(\.rawValue).joined(separator: ",")
            let parts = [
                entry.id.rawValue, "\(entry.acceptedAt)", entry.state.rawValue, receipts.isEmpty ? "-" : receipts,
                entry.reason, entry.title,
            ]
            return parts.compactMap(\.self).joined(separator: "  ").onOneLine
        }
    }
}

/// A device in one line for a terminal.
struct DeviceLines {
    private let device: JSONValue

    init(_ device: JSONValue) { self.device = device }

    var line: String {
        func value(_ name: String) -> String? { device[name]?.stringValue }
        let seen = value("seen_at").map { "seen \($0.prefix(10))" }
        let parts = [value("installation"), value("state"), value("permission"), seen, value("user")]
        return parts.compactMap(\.self).joined(separator: "  ").onOneLine
    }
}
