import ArgumentParser

@main
struct Carillon: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "carillon", abstract: "Push notifications, whole.")
}
