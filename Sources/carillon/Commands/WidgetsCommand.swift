import ArgumentParser
import CarillonCore
import CommandSupport
import Foundation

/// `carillon widgets`: reloads widgets and controls, as a backend does.
struct WidgetsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "widgets",
        abstract: "Reloads widgets and controls through a running service.",
        discussion: """
            Prints the answer of the service's API as JSON. The exit status is 1 when the service refuses, or does not answer. \
            docs/widgets.md.

            Examples:
              carillon widgets push --user u-42
              carillon widgets push --everyone --until 2027-01-31T12:00:00Z
              carillon widgets push --user u-42 --control com.example.door
            """,
        subcommands: [Push.self])

    struct Push: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends a push that reloads all widgets of the app, or controls of some kinds.")

        @OptionGroup var service: ServiceOptions
        @OptionGroup var audience: AudienceOptions

        @Option(
            help: ArgumentHelp(
                "The kind of a control to reload instead of the widgets; can be repeated.", valueName: "kind"))
        var control: [String] = []

        @Option(
            help: ArgumentHelp(
                "When it is too late (RFC 3339, or seconds since 1970). (default: in 24 hours)", valueName: "time"))
        var until: String?

        func run() async throws {
            var members: [String: JSONValue] = ["to": try audience.to()]
            if !control.isEmpty { members["controls"] = .array(control.map(JSONValue.string)) }
            members["until"] = until.map(LiveStateOptions.moment)
            try await service.perform("POST", "/v1/widgets", body: .object(members))
        }
    }
}
