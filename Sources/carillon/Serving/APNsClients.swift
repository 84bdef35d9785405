import CarillonAPNs
import CarillonCore
import CarillonServer
import Logging

/// The service's APNs clients: one for each of Apple's two environments, or one for both where they are the same host.
struct APNsClients {
    let sender: any NotificationSender
    private let all: [APNsClient]

    init(
        production: APNsEndpoint, sandbox: APNsEndpoint, credential: APNsCredential, trustRoots: APNsTrustRoots,
        logger: Logger
    ) throws {
        func client(_ endpoint: APNsEndpoint) throws -> APNsClient {
            try APNsClient(
                configuration: APNsConfiguration(
                    endpoint: endpoint, credential: credential, trustRoots: trustRoots, clock: SystemClock(),
                    seed: UInt64.random(in: .min ... .max), defaultDeadline: CommandLimits.pushDeadline),
                logger: logger)
        }
        let main = try client(production)
        if production == sandbox {
            all = [main]
            sender = main
        } else {
            let other = try client(sandbox)
            all = [main, other]
            sender = EnvironmentSender(production: main, sandbox: other)
        }
    }

    func shutdown() async {
        for client in all { await client.shutdown() }
    }
}
