import ArgumentParser
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation

/// `carillon messages`: sends and manages messages, as a backend does.
struct MessagesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages",
        abstract: "Sends messages through a running service, and stops, counts and recalls them.",
        discussion: """
            Each prints the answer of the service's API as JSON. The exit status is 1 when the service refuses, or does not \
            answer. 'carillon push' sends straight to APNs instead.

            Examples:
              carillon messages send --user u-42 --title Hello --body 'How are you?'
              carillon messages send --where 'tag:vip and seen<30d' --body Hi --send-at 2027-01-31T12:00:00Z
              carillon messages send --everyone --body Hello --localized texts.json --dry-run
              carillon messages show news-1 --watch
              carillon messages pause news-1
              carillon messages recall news-1
            """,
        subcommands: [
            MessagesSendCommand.self, Count.self, Show.self, Pause.self, Resume.self, Cancel.self, Recall.self,
        ])

    struct Count: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Counts the devices that an audience means now.")

        @OptionGroup var service: ServiceOptions
        @OptionGroup(title: "Audience") var audience: AudienceOptions

        func run() async throws {
            try await service.perform("POST", "/v1/audiences/count", body: ["to": try audience.to()])
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows where a message stands.")

        @OptionGroup var service: ServiceOptions
        @Argument var id: MessageID
        @Flag(help: "Print a line each second, for as long as it is going out.")
        var watch = false

        func run() async throws {
            let path = "/v1/notifications/\(id)"
            let clock = SystemClock()
            while watch {
                let report = try CarillonJSON.decode(NotificationReport.self, from: await service.answer("GET", path))
                try StandardOutput.write(MessageProgress(report).sentence(at: clock.now))
                guard MessageProgress(report).isRunning else { return }
                try await clock.sleep(for: CommandLimits.watchInterval)
            }
            try await service.perform("GET", path)
        }
    }

    struct Pause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stops a message for a while: what has not gone out waits.")

        @OptionGroup var service: ServiceOptions
        @Argument var id: MessageID

        func run() async throws { try await service.perform("POST", "/v1/notifications/\(id)/pause") }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lets a paused message go on.")

        @OptionGroup var service: ServiceOptions
        @Argument var id: MessageID

        func run() async throws { try await service.perform("POST", "/v1/notifications/\(id)/resume") }
    }

    struct Cancel: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stops a message for good: what has not gone out never does, what has stays.")

        @OptionGroup var service: ServiceOptions
        @Argument var id: MessageID

        func run() async throws { try await service.perform("POST", "/v1/notifications/\(id)/cancel") }
    }

    struct Recall: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Takes a message back: it is not sent any further, and leaves the phones.")

        @OptionGroup var service: ServiceOptions
        @Argument var id: MessageID

        func run() async throws { try await service.perform("DELETE", "/v1/notifications/\(id)") }
    }
}

extension MessageID: ExpressibleByArgument {
    /// Parses a message's id on the command line; returns `nil` if the text is no valid id.
    public init?(argument: String) { try? self.init(argument) }
}
