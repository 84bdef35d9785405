import ArgumentParser
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation

/// `carillon webhooks`: manages the addresses to which a service posts events.
struct WebhooksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhooks",
        abstract: "Manages the addresses to which a running service posts events.",
        discussion: """
            The key needs the scope admin; 'list' needs read. 'add' and 'rotate' print the secret that signs the requests, which \
            no other command shows. docs/webhooks.md has receivers that check the signature.

            Examples:
              carillon webhooks add https://backend.example.com/carillon
              carillon webhooks add https://backend.example.com/bad --types push.rejected,device.gone
              carillon webhooks list
              carillon webhooks test 5f0c77aa01b2c3d4
              carillon webhooks replay 5f0c77aa01b2c3d4 --since 2027-01-31T12:00:00Z
              carillon webhooks rotate 5f0c77aa01b2c3d4
            """,
        subcommands: [
            Add.self, List.self, Test.self, Replay.self, Resume.self, Rotate.self, Remove.self,
        ])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Adds a webhook, which gets the events from now on.")

        @OptionGroup var service: ServiceOptions
        @Argument(help: "The address, which begins with https://.") var address: String
        @Option(help: ArgumentHelp("Only these types of events, separated by commas.", valueName: "types"))
        var types: String?
        @Flag(help: "With the replies that people type.")
        var texts = false

        func run() async throws {
            var body: [String: JSONValue] = ["url": .string(address)]
            body["types"] = types.map { .array($0.split(separator: ",").map { .string(String($0)) }) }
            if texts { body["texts"] = true }
            try await service.perform("POST", "/v1/webhooks", body: .object(body))
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the webhooks, and what their endpoints last said.")

        @OptionGroup var service: ServiceOptions
        @Flag(help: "Print the answer of the service's API.")
        var json = false

        func run() async throws {
            let answer = try await service.answer("GET", "/v1/webhooks")
            guard !json else { return try StandardOutput.write(json: answer) }
            let all = try JSONValue(parsing: answer)["webhooks"]?.arrayValue ?? []
            for webhook in all { try StandardOutput.write(WebhookLines(webhook).text) }
            if all.isEmpty { try StandardOutput.write("the app has no webhook; 'carillon webhooks add' adds one") }
        }
    }

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Posts a test event, and says what the endpoint answers.",
            discussion: "Exit status 1: the endpoint has not taken it within 30 s. Events that wait go first.")

        @OptionGroup var service: ServiceOptions
        @Argument var id: String

        func run() async throws {
            let clock = SystemClock()
            let end = clock.uptime + CommandLimits.webhookPatience
            let path = "/v1/webhooks/\(id)"
            let before = try JSONValue(parsing: await service.answer("POST", "\(path)/test"))
            while clock.uptime < end {
                let now = try JSONValue(parsing: await service.answer("GET", path))
                if let tested = Self.cursor(before["newest"]), let taken = Self.cursor(now["confirmed"]),
                    taken >= tested
                {
                    return try StandardOutput.write("the endpoint has taken the event")
                }
                if now["failures"] != before["failures"], let failure = WebhookLines(now).failure {
                    throw RefusedCall("the endpoint has not taken it: \(failure)")
                }
                try await clock.sleep(for: CommandLimits.watchInterval / 5)
            }
            throw RefusedCall("the endpoint has not answered; does a process with --role sender run?")
        }

        private static func cursor(_ value: JSONValue?) -> FeedPosition? {
            value?.stringValue.flatMap { FeedPosition($0) }
        }
    }

    struct Replay: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tells a webhook the events again that happened since a time, at most 7 days ago.")

        @OptionGroup var service: ServiceOptions
        @Argument var id: String
        @Option(help: ArgumentHelp("2027-01-31T12:00:00Z, or seconds since 1970.", valueName: "time"))
        var since: String

        func run() async throws {
            let moment = Int64(since).map(JSONValue.int) ?? .string(since)
            try await service.perform("POST", "/v1/webhooks/\(id)/replay", body: ["since": moment])
        }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lets a webhook that was set aside go on where it stopped.")

        @OptionGroup var service: ServiceOptions
        @Argument var id: String

        func run() async throws {
            try await service.perform("PATCH", "/v1/webhooks/\(id)", body: ["state": "active"])
        }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes another secret; for a day, the former one signs too.")

        @OptionGroup var service: ServiceOptions
        @Argument var id: String

        func run() async throws { try await service.perform("POST", "/v1/webhooks/\(id)/rotate") }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Removes a webhook.")

        @OptionGroup var service: ServiceOptions
        @Argument var id: String

        func run() async throws { _ = try await service.answer("DELETE", "/v1/webhooks/\(id)") }
    }
}

/// A webhook in a few lines for a terminal.
struct WebhookLines {
    private let webhook: JSONValue

    init(_ webhook: JSONValue) { self.webhook = webhook }

    /// The last failure; `nil` if the last attempt has succeeded.
    var failure: String? { webhook["last_failure"]?["answer"]?.stringValue }

    var text: String {
        func value(_ name: String) -> String? { webhook[name]?.stringValue }
        var lines = ["\(value("id") ?? "")  \(value("state") ?? "")  \(value("url") ?? "")"]
        if value("confirmed") != value("newest") { lines.append("  events wait") }
        let types = (webhook["types"]?.arrayValue ?? []).compactMap(\.stringValue)
        if !types.isEmpty { lines.append("  types: \(types.joined(separator: ", "))") }
        if let delivered = value("delivered") { lines.append("  last delivered: \(delivered)") }
        if let next = value("next_attempt") { lines.append("  next attempt: \(next)") }
        if let failure { lines.append("  last failure: \(failure)") }
        if let missed = value("missed") { lines.append("  missed events before: \(missed)") }
        return lines.joined(separator: "\n")
    }
}
