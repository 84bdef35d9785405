import Foundation

/// How one process of the service runs.
public struct ServiceConfiguration: Sendable {
    /// What a process does. One that has only ``api`` accepts messages and sends none: another sends them, or the same
    /// one after a restart.
    public enum Role: String, Sendable, Hashable, CaseIterable {
        case api
        case sender
    }

    /// The default is both.
    public var roles: Set<Role>
    /// The address to listen on. The default is 127.0.0.1.
    public var host: String
    /// The port to listen on; 0 takes a free one, which ``CarillonService/boundPort()`` tells. The default is 8080.
    public var port: Int
    /// The apps' bundle ids. A send that names no topic means the first.
    public var topics: [String]
    /// The key of sign-in tokens (HS256), shared with the customer's backend; at least 32 bytes.
    public var signInSecret: Data
    /// The name under which this process leases deliveries. It must be its own and the same after a restart: at the
    /// start, what a dead process of that name had leased is taken back. The default is `sender`.
    public var workerName: String
    /// How long a silent push of an assured message waits for its `shown` receipt. The default is 60 s.
    public var assuredWait: Duration
    /// How long a worker owns what it has leased. The default is 60 s.
    public var leaseDuration: Duration
    /// How often a worker looks for work that another process accepted. The default is 1 s.
    public var pollInterval: Duration
    /// How long messages that are done, their receipts and idempotency keys are kept. The default is 90 days.
    public var retention: Duration

    public init(
        topics: [String], signInSecret: Data, roles: Set<Role> = [.api, .sender], host: String = "127.0.0.1",
        port: Int = 8080, workerName: String = "sender", assuredWait: Duration = .seconds(60),
        leaseDuration: Duration = .seconds(60), pollInterval: Duration = .seconds(1),
        retention: Duration = .seconds(90 * 24 * 3600)
    ) {
        self.roles = roles
        self.host = host
        self.port = port
        self.topics = topics
        self.signInSecret = signInSecret
        self.workerName = workerName
        self.assuredWait = assuredWait
        self.leaseDuration = leaseDuration
        self.pollInterval = pollInterval
        self.retention = retention
    }

    /// - Throws: ``ServiceError`` that says what to change.
    func validate() throws {
        guard !roles.isEmpty else { throw ServiceError(.configuration, "roles is empty: name api, sender or both") }
        guard !topics.isEmpty else { throw ServiceError(.configuration, "topics is empty: name an app's bundle id") }
        guard signInSecret.count >= 32 else {
            throw ServiceError(.configuration, "signInSecret has \(signInSecret.count) bytes; it needs 32 or more")
        }
        guard leaseDuration >= .seconds(10) else {
            throw ServiceError(.configuration, "leaseDuration must be 10 s or more, longer than a send may take")
        }
    }
}
