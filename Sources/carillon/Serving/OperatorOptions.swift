import ArgumentParser
import CarillonServer

/// The options for a second port for backends and operators; the first port then serves only phones.
struct OperatorOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A port of its own for backends, metrics, health and the page; --port then serves only phones. 0 selects a free port.",
            discussion: "With --role sender, health and metrics are served there.", valueName: "n"))
    var operatorPort: Int?

    @Option(help: ArgumentHelp("The address for it. (default: 127.0.0.1)", valueName: "address"))
    var operatorHost: String?

    @Option(
        help: ArgumentHelp(
            "A public name by which /healthz and /metrics are called without TLS and without a --trusted-proxy; can be repeated. IP addresses and private names need none.",
            valueName: "name"))
    var hostName: [String] = []

    @Flag(
        help:
            "Let webhooks have addresses in this host's own networks, such as 10.0.0.7 or localhost, and without TLS.")
    var webhooksToPrivateNetworks = false

    @Option(
        help: ArgumentHelp(
            "Take the calls of another push service too, with an API key of this one; can be repeated.",
            discussion: "docs/doors.md says what becomes of each member of such a call."))
    var door: [Door] = []

    /// The address and port of the listener for backends and operators; `nil` without the option `--operator-port`.
    var address: ServiceConfiguration.ListenAddress? {
        operatorPort.map { ServiceConfiguration.ListenAddress(host: operatorHost ?? "127.0.0.1", port: $0) }
    }

    func validate() throws {
        guard operatorHost == nil || operatorPort != nil else {
            throw ValidationError("--operator-host needs --operator-port")
        }
        if let operatorPort, !(0...65535).contains(operatorPort) {
            throw ValidationError("--operator-port must be between 0 and 65535")
        }
    }
}

extension Door: ExpressibleByArgument {}
