import ArgumentParser
import CarillonAPNs
import CarillonCore
import Foundation

/// `carillon channels create`: creates a channel.
struct ChannelsCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Creates a channel and prints its id.",
        discussion: """
            Example:
              channel=$(carillon channels create --topic com.example.chime --store \\
                --key AuthKey_ABC123DEFG.p8 --team-id TEAM123456)
            """)

    @Flag(help: "Keep the latest broadcast for devices that are offline. (default: nothing is kept)")
    var store = false

    @OptionGroup var options: ChannelOptions

    func run() async throws {
        let policy: APNsChannelStoragePolicy = store ? .mostRecentMessageStored : .noMessageStored
        try await options.run { client throws(APNsError) in
            try await client.createChannel(bundleID: options.topic, storagePolicy: policy, requestID: UUID())
        } report: {
            ChannelReport(lines: [$0], json: ["channel": .string($0)])
        }
    }
}
