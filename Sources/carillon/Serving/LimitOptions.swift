import ArgumentParser
import CarillonServer

/// The options for limits and times of the service that an operator may have to change.
struct LimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Days for which finished messages are kept, and devices that can get no pushes; 1 to 3650.",
            valueName: "days"))
    var retention = Self.days(ServiceConfiguration.standardRetention)

    @Option(help: ArgumentHelp("Pushes of one app that may wait; further messages get 429.", valueName: "n"))
    var backlog = ServiceConfiguration.standardBacklog

    @Option(
        help: ArgumentHelp(
            "Seconds for which an assured message waits for a receipt before it becomes a visible push; 1 to 86400.",
            valueName: "seconds"))
    var assuredWait = Self.seconds(ServiceConfiguration.standardAssuredWait)

    @Option(
        help: ArgumentHelp(
            "Phones of a Live Activity that each get pushes with a token; for more, a broadcast channel is made; 0 to 500.",
            valueName: "n"))
    var liveActivityTokens = ServiceConfiguration.standardActivityPhones

    @Option(
        help: ArgumentHelp("MiB of request bodies that all calls together hold in memory; 1 to 65536.", valueName: "n"))
    var bodyMemory = ServiceConfiguration.standardBodyMemory / Self.mebibyte

    @Option(
        help: ArgumentHelp("Seconds in which the head of a connection's first request must come.", valueName: "seconds")
    )
    var headTimeout = Self.seconds(ConnectionTimes().head)

    @Option(
        help: ArgumentHelp(
            "Seconds for which a connection without a request stays open; longer than your proxy's.",
            valueName: "seconds"))
    var idleTimeout = Self.seconds(ConnectionTimes().idle)

    @Option(help: ArgumentHelp("Seconds in which the next part of a request's body must come.", valueName: "seconds"))
    var bodyTimeout = Self.seconds(ConnectionTimes().body)

    @Option(
        help: ArgumentHelp("Seconds for which a client may leave an answer unread.", valueName: "seconds"))
    var answerTimeout = Self.seconds(ConnectionTimes().answer)

    private static let mebibyte = 1024 * 1024

    func validate() throws {
        guard (1...3650).contains(retention) else {
            throw ValidationError("--retention must be between 1 and 3650 days")
        }
        guard backlog > 0 else { throw ValidationError("--backlog must be 1 or more") }
        guard (1...86_400).contains(assuredWait) else {
            throw ValidationError("--assured-wait must be between 1 and 86400 seconds")
        }
        guard (0...ServiceConfiguration.standardActivityPhones).contains(liveActivityTokens) else {
            throw ValidationError(
                "--live-activity-tokens must be between 0 and \(ServiceConfiguration.standardActivityPhones)")
        }
        guard (1...65_536).contains(bodyMemory) else {
            throw ValidationError("--body-memory must be between 1 and 65536 MiB")
        }
        let timeouts = [
            ("head", headTimeout), ("idle", idleTimeout), ("body", bodyTimeout), ("answer", answerTimeout),
        ]
        for (name, seconds) in timeouts where !(1...3600).contains(seconds) {
            throw ValidationError("--\(name)-timeout must be between 1 and 3600 seconds")
        }
    }

    /// Writes the options into a configuration.
    func apply(to configuration: inout ServiceConfiguration) {
        configuration.retention = .seconds(retention * 86_400)
        configuration.backlogLimit = backlog
        configuration.assuredWait = .seconds(assuredWait)
        configuration.activityPhonesWithTokens = liveActivityTokens
        configuration.bodiesInMemory = bodyMemory * Self.mebibyte
        configuration.connectionTimes.head = .seconds(headTimeout)
        configuration.connectionTimes.idle = .seconds(idleTimeout)
        configuration.connectionTimes.body = .seconds(bodyTimeout)
        configuration.connectionTimes.answer = .seconds(answerTimeout)
    }

    private static func seconds(_ duration: Duration) -> Int { Int(duration.components.seconds) }

    private static func days(_ duration: Duration) -> Int { seconds(duration) / 86_400 }
}
