import ArgumentParser
import CarillonAPNs
import CarillonCore
import Foundation

/// `carillon channels delete`: deletes a channel.
struct ChannelsDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Deletes a channel; nobody follows it any more.",
        discussion: """
            Example:
              carillon channels delete dHN0LXNyY2gtY2hubA== --topic com.example.chime \\
                --key AuthKey_ABC123DEFG.p8 --team-id TEAM123456
            """)

    @Argument(help: "The channel's id.")
    var channel: String

    @OptionGroup var options: ChannelOptions

    func run() async throws {
        try await options.run { client throws(APNsError) in
            try await client.deleteChannel(channel, bundleID: options.topic, requestID: UUID())
        } report: {
            ChannelReport(lines: ["deleted \($0)"], json: ["deleted": .string($0)])
        }
    }
}
