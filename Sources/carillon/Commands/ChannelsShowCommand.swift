import ArgumentParser
import CarillonAPNs
import CarillonCore
import Foundation

/// `carillon channels show`: shows a channel's storage policy.
struct ChannelsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Says what a channel keeps for devices that are offline.",
        discussion: """
            Example:
              carillon channels show dHN0LXNyY2gtY2hubA== --topic com.example.chime \\
                --key AuthKey_ABC123DEFG.p8 --team-id TEAM123456
            """)

    @Argument(help: "The channel's id.")
    var channel: String

    @OptionGroup var options: ChannelOptions

    func run() async throws {
        try await options.run { client throws(APNsError) in
            try await client.channel(channel, bundleID: options.topic, requestID: UUID())
        } report: { policy in
            ChannelReport(
                lines: [
                    policy == .noMessageStored
                        ? "keeps nothing: every broadcast needs --expires-in 0"
                        : "keeps the latest broadcast for devices that are offline"
                ],
                json: ["channel": .string(channel), "message_storage_policy": .int(Int64(policy.rawValue))])
        }
    }
}
