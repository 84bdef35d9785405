import Foundation

/// The configuration of one process of the service.
package struct ServiceConfiguration: Sendable {
    /// A role of a process.
    ///
    /// A process with only the role ``api`` accepts messages but does not send them. So another process needs the role
    /// ``sender``.
    package enum Role: String, Sendable, Hashable, CaseIterable {
        case api
        case sender
    }

    /// The roles of the process: it answers requests (``Role/api``), sends pushes (``Role/sender``), or both.
    ///
    /// The default is both roles.
    var roles: Set<Role>
    /// The address to listen on, without a port.
    ///
    /// The default is 127.0.0.1.
    var host: String
    /// The port to listen on; 0 takes any free port, which ``CarillonService/boundPort()`` returns.
    ///
    /// With `nil`, the service listens on ``socket`` only. The default is 8080.
    package var port: Int?
    /// The Unix socket on which a proxy calls the service, in addition to ``port``; `nil`, the default, for none.
    package var socket: ListenSocket?
    /// The address and port at which only backends and operators call the service; `nil`, the default, if they use ``host`` and
    /// ``port``.
    ///
    /// With a separate address, ``host`` and ``port`` serve only the calls of phones; the calls of backends, health and metrics
    /// are served at the separate address. A process without the role ``Role/api`` serves only health and metrics there.
    package var operators: ListenAddress?
    /// The certificate for TLS at ``host`` and ``port``; `nil`, the default, for HTTP without TLS.
    package var certificate: ListenerCertificate?
    /// The certificate for TLS at ``operators``; `nil`, the default, for HTTP without TLS.
    package var operatorCertificate: ListenerCertificate?
    /// The certificates of the listeners that speak TLS, each with the name of the listener's option: `port` or `operator-port`.
    var listenerCertificates: [(listener: String, certificate: ListenerCertificate)] {
        [("port", certificate), ("operator-port", operatorCertificate)].compactMap { listener, certificate in
            certificate.map { (listener, $0) }
        }
    }
    /// The apps that the service creates or changes when it starts.
    var apps: [AppSettings]
    /// The person or program that the audit list names for changes to the settings of ``apps``.
    package var actor = AuditActor("the service")
    /// The shared secret for sign-in tokens without `kid` (HS256), at least 32 bytes; `nil` to refuse such tokens.
    ///
    /// The backend holds a copy of the secret.
    var signInSecret: Data?
    /// The limits on new installations per minute.
    var registrationLimits: RegistrationLimiter.Limits
    /// The limits on the calls of each installation and of each API key.
    var callLimits: CallLimiter.Limits
    /// The limits on open connections.
    var connectionLimits: ConnectionLimits
    /// The longest times that a client may take to send a request and to read the answer.
    package var connectionTimes = ConnectionTimes()
    /// The greatest number of bytes of request bodies that all calls together hold in memory.
    package var bodiesInMemory = ServiceLimits.bodiesInMemory
    /// The greatest number of one app's pushes that may wait to be sent.
    ///
    /// When that many pushes wait, the API answers a new message with 429. The default is one million.
    package var backlogLimit: Int
    /// The trusted proxies, whose `X-Forwarded-For` header the service believes, in addition to who calls over ``socket``.
    ///
    /// The default is none.
    var proxies: TrustedProxies
    /// The names by which operators call the service without TLS and without a trusted proxy, if they are names of the public DNS.
    ///
    /// With another such name in `Host`, health and metrics are refused (``HostGuard``). The default is none.
    package var hostNames: [String] = []
    /// The greatest number of phones of a Live Activity that each get pushes with a token, 0 to ``StoreLimits/activityPhones``.
    ///
    /// A Live Activity for more phones has broadcast channels. The default is 500.
    package var activityPhonesWithTokens = Self.standardActivityPhones
    /// Whether webhooks may have addresses in the host's own networks, and without TLS (``WebhookTarget``).
    ///
    /// The default is `false`.
    package var webhooksReachPrivateNetworks = false
    /// The other push services whose calls the service takes too.
    ///
    /// The default is none.
    package var doors: Set<Door> = []
    /// The time that the service waits for a `shown` receipt after the silent push of a message with ``DeliveryMode/assured``.
    ///
    /// If no receipt comes in this time, the service sends a visible push. The default is 60 s.
    package var assuredWait: Duration
    /// The time without a heartbeat after which another sender takes over the deliveries that a sender has leased.
    ///
    /// A lease is a sender's exclusive right to send a delivery. The default is 60 s.
    var leaseDuration: Duration
    /// The interval at which a process reads changes of other processes from the store.
    ///
    /// Processes also announce changes to each other, but an announcement may be lost. The default is 1 s.
    var pollInterval: Duration
    /// The time for which the store keeps finished messages, their receipts and idempotency keys.
    ///
    /// The default is 90 days.
    package var retention: Duration

    /// An address and a port on which the service listens.
    package struct ListenAddress: Sendable, Hashable {
        /// The address, without a port.
        package var host: String
        /// The port; 0 takes any free port.
        package var port: Int

        package init(host: String, port: Int) { (self.host, self.port) = (host, port) }
    }

    /// A Unix socket on which the service listens.
    package struct ListenSocket: Sendable, Hashable {
        /// The path of the socket's file, at most ``SocketFile/pathByteLimit`` bytes.
        package var path: String
        /// The permissions of the file; the default is 0660: the owner and the group may connect.
        package var mode: Int

        package init(path: String, mode: Int = ServiceLimits.socketMode) { (self.path, self.mode) = (path, mode) }
    }

    /// The default of ``leaseDuration``.
    package static let standardLease = DeliveryLimits.leaseDuration
    /// The default of ``retention``.
    package static let standardRetention = ServiceLimits.retention
    /// The default of ``activityPhonesWithTokens``, and its greatest value.
    package static let standardActivityPhones = StoreLimits.activityPhones
    /// The default of ``backlogLimit``.
    package static let standardBacklog = ServiceLimits.backlog
    /// The default of ``assuredWait``.
    package static let standardAssuredWait = DeliveryLimits.assuredWait
    /// The default of ``bodiesInMemory``.
    package static let standardBodyMemory = ServiceLimits.bodiesInMemory

    package init(
        apps: [AppSettings], signInSecret: Data?, roles: Set<Role> = [.api, .sender], host: String = "127.0.0.1",
        port: Int? = 8080, assuredWait: Duration = DeliveryLimits.assuredWait,
        leaseDuration: Duration = standardLease, pollInterval: Duration = DeliveryLimits.pollInterval,
        retention: Duration = ServiceLimits.retention,
        registrationLimits: RegistrationLimiter.Limits = .standard,
        callLimits: CallLimiter.Limits = .standard, connectionLimits: ConnectionLimits = ConnectionLimits(),
        proxies: TrustedProxies = [],
        backlogLimit: Int = ServiceLimits.backlog
    ) {
        self.roles = roles
        self.host = host
        self.port = port
        self.apps = apps
        self.registrationLimits = registrationLimits
        self.callLimits = callLimits
        self.connectionLimits = connectionLimits
        self.proxies = proxies
        self.backlogLimit = backlogLimit
        self.signInSecret = signInSecret
        self.assuredWait = assuredWait
        self.leaseDuration = leaseDuration
        self.pollInterval = pollInterval
        self.retention = retention
    }

    /// Checks the configuration.
    ///
    /// - Throws: ``ServiceError`` that names the setting to change.
    func validate() throws {
        guard !roles.isEmpty else { throw ServiceError(.configuration, "there is no role: name api, sender or both") }
        guard !roles.contains(.api) || port != nil || socket != nil else {
            throw ServiceError(.configuration, "a process with the role api needs a port or a socket")
        }
        if let secret = signInSecret, secret.count < ServiceLimits.signInSecretBytes {
            throw ServiceError(
                .configuration,
                "the sign-in secret has \(secret.count) bytes; it needs \(ServiceLimits.signInSecretBytes) or more")
        }
        guard leaseDuration >= ServiceLimits.shortestLease else {
            throw ServiceError(
                .configuration,
                "a lease must last \(ServiceLimits.shortestLease.components.seconds) s or more, longer than a send may take"
            )
        }
    }
}
