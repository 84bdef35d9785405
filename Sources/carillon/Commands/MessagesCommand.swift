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
            Each prints the answer of the service's API as JSON, and 'list' and 'recipients' a line an entry. The exit status is 1 when the service refuses, or does not \
            answer. 'carillon push' sends straight to APNs instead.

            Examples:
              carillon messages send --user u-42 --title Hello --body 'How are you?'
              carillon messages send --where 'tag:vip and seen<30d' --body Hi --send-at 2027-01-31T12:00:00Z
              carillon messages send --everyone --body Hello --localized texts.json --dry-run
              carillon messages list --state sending
              carillon messages show news-1 --watch
              carillon messages recipients news-1 --group not_shown
              carillon messages pause news-1
              carillon messages recall news-1
              carillon messages resend news-1
            """,
        subcommands: [
            MessagesSendCommand.self, MessagesListCommand.self, MessagesRecipientsCommand.self, Count.self, Show.self,
            Pause.self, Resume.self, Cancel.self, Recall.self,
            Resend.self,
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
        @Argument(help: .messageID) var id: MessageID
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
        @Argument(help: .messageID) var id: MessageID

        func run() async throws { try await service.perform("POST", "/v1/notifications/\(id)/pause") }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lets a paused message go on.")

        @OptionGroup var service: ServiceOptions
        @Argument(help: .messageID) var id: MessageID

        func run() async throws { try await service.perform("POST", "/v1/notifications/\(id)/resume") }
    }

    struct Cancel: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stops a message for good: what has not gone out never does, what has stays.")

        @OptionGroup var service: ServiceOptions
        @Argument(help: .messageID) var id: MessageID

        func run() async throws { try await service.perform("POST", "/v1/notifications/\(id)/cancel") }
    }

    struct Recall: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Takes a message back: it is not sent any further, and leaves the phones.")

        @OptionGroup var service: ServiceOptions
        @Argument(help: .messageID) var id: MessageID

        func run() async throws { try await service.perform("DELETE", "/v1/notifications/\(id)") }
    }

    struct Resend: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends a message again, as another message, to those who did not see it.",
            discussion: """
                It goes to the devices of the group not_shown: APNs has accepted the push, and the phone has told nothing that \
                shows that the person could see it. The same call again sends nothing; another --as sends it once more.

                Examples:
                  carillon messages resend news-1
                  carillon messages resend news-1 --as news-1-evening
                """)

        @OptionGroup var service: ServiceOptions
        @Argument(help: .messageID) var id: MessageID

        @Option(
            name: .customLong("as"), help: ArgumentHelp("The id of the copy. (default: the id and .2)", valueName: "id")
        )
        var copy: MessageID?

        func run() async throws {
            try await service.perform(
                "POST", "/v1/notifications/\(id)/resend", body: copy.map { ["id": .string($0.rawValue)] })
        }
    }
}

extension ArgumentHelp {
    /// The rule for an id, which the parser shows when an id breaks it.
    static let messageID: ArgumentHelp = "An id has 1 to 64 characters of A-Z, a-z, 0-9, '.', '_' and '-'."
}

extension MessageID: ExpressibleByArgument {
    /// Parses a message's id on the command line; returns `nil` if the text is no valid id.
    public init?(argument: String) { try? self.init(argument) }
}
