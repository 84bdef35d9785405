import ArgumentParser

/// The command line.
@main
struct CarillonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "carillon",
        abstract: "iOS push notifications, whole: a service to host, a sender, a simulated APNs, simulated iPhones.",
        subcommands: [
            UpCommand.self, WhyCommand.self, DemoCommand.self, ServeCommand.self, APIKeysCommand.self, PushCommand.self,
            KeysCommand.self, ValidateCommand.self, APNsSimulatorCommand.self, BenchCommand.self,
        ])
}
