import ArgumentParser

/// `carillon channels`: manages an app's broadcast channels, which devices follow for Live Activities.
struct ChannelsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "channels",
        abstract: "Creates, shows, lists and deletes an app's broadcast channels for Live Activities.",
        discussion: """
            'carillon push --channel' sends to one. Apple manages channels at hosts of their own, which are the default; \
            the simulator has them at its one port. Exit status: 0 when it is done, 1 when APNs rejected it or it was not \
            sent, 2 when it may have been done and the answer never came.

            Examples:
              carillon channels create --topic com.example.chime --store \\
                --key AuthKey_ABC123DEFG.p8 --team-id TEAM123456 --sandbox
              carillon channels list --topic com.example.chime \\
                --key apns/AuthKey_SIMKEY0001.p8 --team-id SIMTEAM001 \\
                --url https://localhost:2197 --ca apns/ca.pem
            """,
        subcommands: [
            ChannelsCreateCommand.self, ChannelsShowCommand.self, ChannelsListCommand.self, ChannelsDeleteCommand.self,
        ])
}
