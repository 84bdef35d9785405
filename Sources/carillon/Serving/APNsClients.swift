import CarillonAPNs
import CarillonCore
import CarillonServer
import Logging

/// The service's connections to APNs: one client for each of Apple's two worlds, or one for both where they are one host.
struct APNsClients {
    /// A push waits at most this long for its answer; a lease is several times as long.
    private static let deadline = Duration.seconds(15)

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
                    seed: UInt64.random(in: .min ... .max), defaultDeadline: Self.deadline),
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
