import ArgumentParser
import CarillonServer

/// The options that limit the HTTP requests and connections of each caller.
struct CallOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Calls that one installation may make in a second; 0 for no limit.", valueName: "n"))
    var callsPerInstallation = CallLimiter.Limits.standard.perInstallation ?? 0

    @Option(help: ArgumentHelp("Calls that one API key may make in a second; 0 for no limit.", valueName: "n"))
    var callsPerKey = CallLimiter.Limits.standard.perKey ?? 0

    @Option(help: ArgumentHelp("Connections that may be open at once.", valueName: "n"))
    var connections = ConnectionLimits().all

    @Option(
        help: ArgumentHelp(
            "Connections of one address that may be open at once; a --trusted-proxy has no limit.", valueName: "n"))
    var connectionsPerAddress = ConnectionLimits().perAddress

    var connectionLimits: ConnectionLimits {
        ConnectionLimits(all: connections, perAddress: connectionsPerAddress)
    }

    var limits: CallLimiter.Limits {
        CallLimiter.Limits(
            perInstallation: callsPerInstallation == 0 ? nil : callsPerInstallation,
            perKey: callsPerKey == 0 ? nil : callsPerKey)
    }

    func validate() throws {
        guard callsPerInstallation >= 0, callsPerKey >= 0 else {
            throw ValidationError("--calls-per-installation and --calls-per-key are 0 or more")
        }
        guard connections > 0, connectionsPerAddress > 0 else {
            throw ValidationError("--connections and --connections-per-address are 1 or more")
        }
    }
}
