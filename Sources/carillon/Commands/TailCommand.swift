import ArgumentParser
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation

/// `carillon tail`: shows the events of an app as they happen.
struct TailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Shows what happens: messages, pushes, receipts, devices and users.",
        discussion: """
            Reads the stream GET /v1/events until it is interrupted, and connects again when the connection is lost, without \
            missing an event. The key needs the scope read. docs/events.md lists the types.

            Examples:
              carillon tail
              carillon tail --types push.rejected,device.gone
              carillon tail --message news-1
              carillon tail --after 57-1 --json | jq .type
            """)

    @OptionGroup var service: ServiceOptions

    @Option(help: ArgumentHelp("Only these types of events, separated by commas.", valueName: "types"))
    var types: String?

    @Option(help: ArgumentHelp("Only events about this message.", valueName: "id"))
    var message: String?

    @Option(help: ArgumentHelp("Only events on this device.", valueName: "id"))
    var device: String?

    @Option(help: ArgumentHelp("Only events that name this user.", valueName: "id"))
    var user: String?

    @Option(help: ArgumentHelp("Begin after this event, or this 'next'. (default: now)", valueName: "id"))
    var after: String?

    @Flag(help: "Show the replies that people type.")
    var texts = false

    @Flag(help: "Print each event as a JSON object in a line of its own.")
    var json = false

    func run() async throws {
        let clock = SystemClock()
        let query = ["types": types, "after": after, "texts": texts ? "true" : nil]
        let isColoured = !json && Self.hasColours
        var (last, failures): (String?, Int) = (nil, 0)
        while true {
            do {
                try await service.events(query, after: last) { event in
                    failures = 0
                    last = event.id ?? last
                    try show(event, isColoured)
                }
            } catch let refusal as ServiceOptions.Refusal {
                guard last != nil, refusal.isPassing else { throw refusal.call }
            } catch let error where error is RefusedCall || error is StandardOutput.WriteError {
                throw error
            } catch {
                guard last != nil else { throw RefusedCall(ServiceOptions.reason(of: error, service.url)) }
            }
            failures += 1
            if failures == 1 {
                try StandardOutput.write(
                    "the connection to \(service.url) has ended; connecting again", to: .standardError)
            }
            let wait = CommandLimits.reconnecting.wait(failures: failures, jitter: .random(in: 0..<1))
            try await clock.sleep(for: wait)
        }
    }

    private static var hasColours: Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(STDOUT_FILENO) == 1 && environment["NO_COLOR"] == nil && environment["TERM"] != "dumb"
    }

    private func show(_ event: StreamedEvent, _ isColoured: Bool) throws {
        guard let data = event.data else { return }
        guard event.name != "problem" else { throw RefusedCall(refusal: Data(data.utf8), status: 410) }
        let value = try JSONValue(parsing: data)
        for (name, wanted) in [("message", message), ("device", device), ("user", user)] {
            guard let wanted else { continue }
            guard value[name]?.stringValue == wanted else { return }
        }
        try StandardOutput.write(json ? data : EventLine(value).text(isColoured))
    }
}
