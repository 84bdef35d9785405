import ArgumentParser
import CarillonAPNs
import CarillonCore
import Foundation

/// `carillon channels list`: lists an app's channels.
struct ChannelsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Prints the ids of an app's channels, one a line.",
        discussion: """
            Example:
              carillon channels list --topic com.example.chime \\
                --key AuthKey_ABC123DEFG.p8 --team-id TEAM123456
            """)

    @OptionGroup var options: ChannelOptions

    func run() async throws {
        try await options.run { client throws(APNsError) in
            try await client.channels(bundleID: options.topic, requestID: UUID())
        } report: {
            ChannelReport(lines: $0, json: ["channels": .array($0.map { .string($0) })])
        }
    }
}
