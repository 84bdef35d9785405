import ArgumentParser
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation

/// `carillon users`: shows and erases what a running service keeps of a user.
struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "Shows what is kept of a user, and erases it.",
        discussion: """
            The key needs the scope users. docs/threat-model.md says what an erasure leaves.

            Examples:
              carillon users show u-42
              carillon users show u-42 --json > u-42.json
              carillon users erase u-42 --devices
            """,
        subcommands: [Show.self, Erase.self])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows a user's devices and messages.",
            discussion: """
                A device has the line of 'carillon devices list'. A message has its id, the time of acceptance, whether it is \
                read, and below, for each device, what has happened. --json prints a page of GET /v1/users/{id} a line, with \
                the messages' texts and the replies that the user typed.
                """)

        @OptionGroup var service: ServiceOptions
        @Argument(help: "The user's id.") var id: String
        @Flag(help: "Print JSON, as the service's API has it.") var json = false

        func run() async throws {
            var query: [String: String?] = ["limit": "\(CommandLimits.entriesPerCall)"]
            while true {
                let data = try await service.answer("GET", "/v1/users", name: id, query: query)
                let page = try JSONValue(parsing: data)
                if json {
                    try StandardOutput.write(json: data)
                } else {
                    for line in UserLines(page).lines { try StandardOutput.write(line) }
                }
                guard let next = page["next"]?.stringValue else { return }
                query["after"] = next
            }
        }
    }

    struct Erase: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Erases what is kept of a user, after it has asked.",
            discussion: """
                The user is signed out everywhere, and the user's inbox, name and replies are deleted. Prints what was erased, \
                as JSON. Copies that upgrades made are named and not changed.

                Exit status: 0 when the user is erased; 1 when the question was answered with anything but the user's id.
                """)

        @OptionGroup var service: ServiceOptions
        @Argument(help: "The user's id.") var id: String
        @Flag(help: "Delete the user's devices too.") var devices = false
        @Flag(help: "Do not ask. Without a terminal, this is needed.") var yes = false

        func run() async throws {
            guard yes || isatty(STDIN_FILENO) == 1 else {
                throw ValidationError("nobody can be asked here, because this is no terminal: --yes erases the user")
            }
            if !yes { try ask() }
            let query = ["devices": devices ? "true" : nil]
            try StandardOutput.write(json: try await service.answer("DELETE", "/v1/users", name: id, query: query))
        }

        private func ask() throws {
            try StandardOutput.write("None of it can be brought back. To erase the user, type the id:")
            guard readLine()?.trimmingCharacters(in: .whitespaces) == id else {
                try StandardOutput.write("that is not \(id): nothing was erased", to: .standardError)
                throw ExitCode(1)
            }
        }
    }
}

/// A page of what is kept of a user, in lines for a terminal.
struct UserLines {
    private let page: JSONValue

    init(_ page: JSONValue) { self.page = page }

    /// A line for each device and each message, and further lines for what has happened on each device.
    var lines: [String] {
        let devices = (page["devices"]?.arrayValue ?? []).map { DeviceLines($0).line }
        return devices + (page["messages"]?.arrayValue ?? []).flatMap(Self.message)
    }

    private static func message(_ message: JSONValue) -> [String] {
        func value(_ name: String) -> String? { message[name]?.stringValue }
        let mark = value("read_at") != nil ? "read" : message["in_inbox"]?.boolValue == true ? "unread" : nil
        let parts = [value("id"), value("accepted_at").map { String($0.prefix(16)) }, mark]
        let devices = (message["devices"]?.arrayValue ?? []).map { device in
            let events = (device["events"]?.arrayValue ?? []).compactMap { $0["event"]?.stringValue }
            return wrapped("  on \(device["device"]?.stringValue ?? ""):", events)
        }
        return [parts.compactMap(\.self).joined(separator: "  ").onOneLine] + devices.flatMap(\.self)
    }

    /// Returns words behind a beginning, in lines of at most 80 characters.
    private static func wrapped(_ start: String, _ words: [String]) -> [String] {
        var lines = [start.onOneLine]
        for word in words {
            if lines[lines.count - 1].count + word.count >= 80 { lines.append("    ") }
            lines[lines.count - 1] += " \(word.onOneLine)"
        }
        return lines
    }
}
