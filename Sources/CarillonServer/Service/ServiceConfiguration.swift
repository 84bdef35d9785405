import Foundation

/// How one process of the service runs.
package struct ServiceConfiguration: Sendable {
    /// What a process does.
    ///
    /// One that has only ``api`` accepts messages and sends none: another sends them, or the same one after a restart.
    package enum Role: String, Sendable, Hashable, CaseIterable {
        case api
        case sender
    }

    /// The default is both.
    var roles: Set<Role>
    /// The address to listen on.
    ///
    /// The default is 127.0.0.1.
    var host: String
    /// The port to listen on; 0 takes a free one, which ``CarillonService/boundPort()`` tells.
    ///
    /// The default is 8080.
    var port: Int
    /// Apps that are made when the service starts, if the store does not have them.
    var apps: [AppSettings]
    /// The key of sign-in tokens without `kid` (HS256), shared with the customer's backend; at least 32 bytes.
    var signInSecret: Data
    /// How many new installations may come in a minute.
    var registrationLimits: RegistrationLimiter.Limits
    /// Pushes of one app that may wait to be sent; with more, a message is answered with 429.
    ///
    /// The default is one million.
    var backlogLimit: Int
    /// Addresses of proxies whose `X-Forwarded-For` is believed.
    ///
    /// The default is none.
    var proxies: Set<String>
    /// How long a silent push of an assured message waits for its `shown` receipt.
    ///
    /// The default is 60 s.
    var assuredWait: Duration
    /// How long a sender may stand still before another takes over what it has leased.
    ///
    /// The default is 60 s.
    var leaseDuration: Duration
    /// How often a process looks for what another has committed, where nothing tells it sooner.
    ///
    /// The default is 1 s.
    var pollInterval: Duration
    /// How long messages that are done, their receipts and idempotency keys are kept.
    ///
    /// The default is 90 days.
    var retention: Duration

    /// The default of ``leaseDuration``.
    package static let standardLease = ServiceLimits.leaseDuration

    package init(
        apps: [AppSettings], signInSecret: Data, roles: Set<Role> = [.api, .sender], host: String = "127.0.0.1",
        port: Int = 8080, assuredWait: Duration = ServiceLimits.assuredWait,
        leaseDuration: Duration = standardLease, pollInterval: Duration = ServiceLimits.pollInterval,
        retention: Duration = ServiceLimits.retention,
        registrationLimits: RegistrationLimiter.Limits = .standard, proxies: Set<String> = [],
        backlogLimit: Int = ServiceLimits.backlog
    ) {
        self.roles = roles
        self.host = host
        self.port = port
        self.apps = apps
        self.registrationLimits = registrationLimits
        self.proxies = proxies
        self.backlogLimit = backlogLimit
        self.signInSecret = signInSecret
        self.assuredWait = assuredWait
        self.leaseDuration = leaseDuration
        self.pollInterval = pollInterval
        self.retention = retention
    }

    /// - Throws: ``ServiceError`` that says what to change.
    func validate() throws {
        guard !roles.isEmpty else { throw ServiceError(.configuration, "there is no role: name api, sender or both") }
        guard signInSecret.count >= ServiceLimits.signInSecretBytes else {
            throw ServiceError(
                .configuration,
                "the sign-in secret has \(signInSecret.count) bytes; it needs \(ServiceLimits.signInSecretBytes) or more"
            )
        }
        guard leaseDuration >= ServiceLimits.shortestLease else {
            throw ServiceError(
                .configuration,
                "a lease must last \(ServiceLimits.shortestLease.components.seconds) s or more, longer than a send may take"
            )
        }
    }
}
