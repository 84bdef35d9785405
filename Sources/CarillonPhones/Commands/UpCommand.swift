import ArgumentParser
import CarillonServer
import CommandSupport
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// `carillon up`: runs the service, a simulated APNs and two phones in one process, with a page for the browser.
struct UpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Runs the service, a simulated APNs and two iPhones, shown at http://127.0.0.1:8080.",
        discussion: """
            Both phones belong to the same user and run the example app Chime. All data stays on this machine, in the data \
            folder; a later start with the same folder continues with its messages, keys and phones. Ctrl-C stops it.

            Examples:
              carillon up
              carillon up --port 0 --data /tmp/carillon
            """)

    @Option(help: ArgumentHelp("The port of the page and the service; 0 selects a free port.", valueName: "n"))
    var port = 8080

    @Option(help: ArgumentHelp("The data folder; created if missing.", valueName: "dir"))
    var data = ".carillon"

    @Option(help: ArgumentHelp("The port of the simulated APNs; 0 selects a free port.", valueName: "n"))
    var apnsPort = 0

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("--port must be between 0 and 65535") }
        guard (0...65535).contains(apnsPort) else { throw ValidationError("--apns-port must be between 0 and 65535") }
    }

    func run() async throws {
        var logger = Logger(label: "carillon.up") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        let folder = try LocalStackDirectory(path: data)
        let stack = try await LocalStack.gather(folder, port: port, apnsPort: apnsPort, logger: logger)
        let phoneHost = PhoneHost { try await stack.makePhones() }
        stack.service.addRoutes { PageRoutes(stack: stack, phoneHost: phoneHost).add(to: $0) }
        // A `ServiceGroup` stops its members in reverse order: pages and phones before the push service, and APNs last.
        let group = ServiceGroup(
            configuration: .init(
                services: [
                    .init(service: SimulatorService(simulator: stack.simulator)),
                    .init(service: APNsClientService(client: stack.apns)),
                    .init(service: stack.certificates),
                    .init(service: stack.service),
                    .init(service: phoneHost),
                    .init(service: stack.tracker),
                    .init(service: ReadyMessage(stack: stack, phoneHost: phoneHost)),
                ],
                gracefulShutdownSignals: [.sigint, .sigterm, .sighup], logger: logger))
        do {
            try await group.run()
        } catch {
            throw ListenFailure.explaining(error, [(LocalStack.host, port, "--port")])
        }
    }
}
