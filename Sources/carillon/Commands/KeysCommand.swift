import ArgumentParser

/// `carillon keys`: creates and checks the credentials of a sender.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Creates certificate requests and provider tokens; checks keys and certificates without a phone.",
        subcommands: [KeysRequestCommand.self, KeysCheckCommand.self, KeysTokenCommand.self])
}
