import ArgumentParser
import CarillonCore
import CommandSupport
import Foundation

/// `carillon live`: starts, updates, ends and shows Live Activities, as a backend does.
struct LiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract: "Starts, updates and ends Live Activities through a running service.",
        discussion: """
            Each prints the answer of the service's API as JSON. The exit status is 1 when the service refuses, or does not \
            answer. docs/live-activities.md.

            Examples:
              carillon live start match-7 --user u-42 --type MatchAttributes \\
                --attributes '{"match": "match-7", "home": "Ferrum", "away": "Aurum"}' \\
                --state '{"goals": 0}' --title 'Ferrum - Aurum' --body 'It begins.'
              carillon live update match-7 --state '{"goals": 1}'
              carillon live show match-7 --timeline
              carillon live end match-7 --state '{"goals": 3}' --dismiss 2027-01-31T12:00:00Z
            """,
        subcommands: [Start.self, Update.self, End.self, Show.self])

    struct Start: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Starts a Live Activity on phones.")

        @OptionGroup var service: ServiceOptions
        @Argument(
            help: "Your name for it, also the value of one of the attributes. \(ArgumentHelp.messageID.abstract)")
        var id: MessageID

        @Option(help: ArgumentHelp("A user's id; can be repeated.", valueName: "id"))
        var user: [String] = []

        @Option(help: ArgumentHelp("An installation's id; can be repeated.", valueName: "id"))
        var device: [String] = []

        @Option(
            name: .customLong("where"),
            help: ArgumentHelp("A condition on devices, such as tag:vip.", valueName: "condition"))
        var condition: String?

        @Flag(help: "For all devices of the app.")
        var everyone = false

        @Option(help: ArgumentHelp("The name of the app's type of attributes.", valueName: "name"))
        var type: String

        @Option(help: ArgumentHelp("The attributes, a JSON object.", valueName: "json"))
        var attributes: String

        @OptionGroup var state: LiveStateOptions

        @Option(
            help: ArgumentHelp("When the state is out of date (RFC 3339, or seconds since 1970).", valueName: "time"))
        var stale: String?

        @Option(help: ArgumentHelp("Makes a repeated call the same call.", valueName: "key"))
        var idempotencyKey: String?

        func run() async throws {
            let audiences = [
                user.isEmpty ? nil : ["users": .array(user.map(JSONValue.string))],
                device.isEmpty ? nil : ["devices": .array(device.map(JSONValue.string))],
                condition.map { ["where": .string($0)] }, everyone ? ["everyone": true] : nil,
            ].compactMap { (audience: JSONValue?) in audience }
            guard let audience = audiences.first, audiences.count == 1 else {
                throw ValidationError("say whom it is for: --user, --device, --where or --everyone")
            }
            guard state.title != nil || state.body != nil else {
                throw ValidationError("--title and --body are missing: no phone shows a Live Activity without an alert")
            }
            var members = try state.members()
            members["id"] = .string(id.rawValue)
            members["to"] = audience
            members["attributes-type"] = .string(type)
            members["attributes"] = try LiveStateOptions.json(attributes, option: "--attributes")
            members["stale-date"] = stale.map(LiveStateOptions.moment)
            try await service.perform(
                "POST", "/v1/live-activities", body: .object(members),
                headers: idempotencyKey.map { ["Idempotency-Key": $0] } ?? [:])
        }
    }

    struct Update: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends a Live Activity's new state to all its phones.")

        @OptionGroup var service: ServiceOptions
        @Argument(help: .messageID) var id: MessageID
        @OptionGroup var state: LiveStateOptions

        @Option(
            help: ArgumentHelp("When the state is out of date (RFC 3339, or seconds since 1970).", valueName: "time"))
        var stale: String?

        @Option(
            help: ArgumentHelp(
                "10 arrives at once and costs the phone's budget of updates, 5 does not. (default: 10)",
                valueName: "number"))
        var priority: Int?

        @Option(help: ArgumentHelp("Makes a repeated call the same call.", valueName: "key"))
        var idempotencyKey: String?

        func run() async throws {
            var members = try state.members()
            members["stale-date"] = stale.map(LiveStateOptions.moment)
            members["priority"] = priority.map { .int(Int64($0)) }
            try await service.perform(
                "PATCH", "/v1/live-activities/\(id)", body: .object(members),
                headers: idempotencyKey.map { ["Idempotency-Key": $0] } ?? [:])
        }
    }

    struct End: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Ends a Live Activity on all its phones.")

        @OptionGroup var service: ServiceOptions
        @Argument(help: .messageID) var id: MessageID
        @OptionGroup var state: LiveStateOptions

        @Option(
            help: ArgumentHelp(
                "When it leaves the lock screen (RFC 3339, or seconds since 1970). (default: iOS decides)",
                valueName: "time"))
        var dismiss: String?

        func run() async throws {
            var members = try state.members()
            members["dismissal-date"] = dismiss.map(LiveStateOptions.moment)
            try await service.perform("POST", "/v1/live-activities/\(id)/end", body: .object(members))
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows a Live Activity's state, and the numbers of phones in each state.")

        @OptionGroup var service: ServiceOptions
        @Argument(help: .messageID) var id: MessageID

        @Flag(help: "Show what has happened on each phone.")
        var timeline = false

        func run() async throws {
            try await service.perform("GET", "/v1/live-activities/\(id)\(timeline ? "/timeline" : "")")
        }
    }
}

/// The options for what a Live Activity shows.
struct LiveStateOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The content state, a JSON object.", valueName: "json"))
    var state: String?

    @Option(help: "The title of an alert.")
    var title: String?

    @Option(help: "The text of an alert.")
    var body: String?

    /// Returns the members `content-state` and `alert` of a request's body.
    func members() throws -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        members["content-state"] = try state.map { try Self.json($0, option: "--state") }
        let alert = ["title": title, "body": body].compactMapValues { $0.map(JSONValue.string) }
        if !alert.isEmpty { members["alert"] = .object(alert) }
        return members
    }

    static func json(_ text: String, option: String) throws -> JSONValue {
        do {
            return try JSONValue(parsing: text)
        } catch {
            throw ValidationError("\(option) is not JSON: \(error)")
        }
    }

    static func moment(_ text: String) -> JSONValue { Int64(text).map(JSONValue.int) ?? .string(text) }
}
