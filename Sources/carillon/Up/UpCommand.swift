import ArgumentParser
import CarillonServer
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// `carillon up`: everything at once, in one process, to look at in a browser.
struct UpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Runs the service, a simulated APNs and two iPhones, shown at http://127.0.0.1:8080.",
        discussion: """
            Both phones are of one user and run the example app, Chime. Everything stays on this machine and in the data \
            folder; a later start with the same folder finds its messages, keys and phones. Ends with Ctrl-C.

            Examples:
              carillon up
              carillon up --port 0 --data /tmp/carillon
            """)

    @Option(help: ArgumentHelp("The port of the page and of the service; 0 takes a free one.", valueName: "n"))
    var port = 8080

    @Option(help: ArgumentHelp("The folder of everything that is kept; made if missing.", valueName: "dir"))
    var data = ".carillon"

    @Option(help: ArgumentHelp("The port of the simulated APNs; 0 takes a free one.", valueName: "n"))
    var apnsPort = 0

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("--port takes 0 to 65535") }
        guard (0...65535).contains(apnsPort) else { throw ValidationError("--apns-port takes 0 to 65535") }
    }

    func run() async throws {
        var logger = Logger(label: "carillon.up") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        let folder = try UpFolder(path: data)
        let cast = try await Cast.gather(folder, port: port, apnsPort: apnsPort, logger: logger)
        let shelf = PhoneShelf { try await cast.makePhones() }
        cast.service.addRoutes { PageRoutes(cast: cast, shelf: shelf).add(to: $0) }
        // A group shuts down from the last to the first: pages and phones leave before the service, APNs goes last.
        let group = ServiceGroup(
            configuration: .init(
                services: [
                    .init(service: SimulatorService(simulator: cast.simulator)),
                    .init(service: ClientService(client: cast.apns)),
                    .init(service: cast.service),
                    .init(service: shelf),
                    .init(service: cast.watch),
                    .init(service: Opening(cast: cast)),
                ],
                gracefulShutdownSignals: [.sigint, .sigterm], logger: logger))
        do {
            try await group.run()
        } catch {
            throw ListenFailure.explaining(error, host: Cast.host, port: port)
        }
    }
}
