import ArgumentParser

/// `carillon keys`: the credentials by which APNs knows a sender.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Makes certificate requests, and checks signing keys and certificates against APNs without a phone.",
        subcommands: [KeysRequestCommand.self, KeysCheckCommand.self, KeysTokenCommand.self])
}
