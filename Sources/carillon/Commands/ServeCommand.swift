import ArgumentParser
import CarillonAPNs
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation
import Logging
import ServiceLifecycle
import ServiceSupport
import Synchronization
import UnixSignals

/// `carillon serve`: runs the push service.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Runs the push service: an HTTP API, delivery through APNs, and a database in a folder.",
        discussion: """
            First create an API key for your backend, with 'carillon api-keys create --data DIR --name backend'. Your \
            backend signs sign-in tokens with the secret in DIR/sign-in.secret. --topic makes the app, and with --key \
            the app's key is read from that file from now on; 'carillon apps' adds further apps with keys of their own. \
            Prints one line when it is ready. Ctrl-C stops it.

            Every option can also stand in the file of --config, as a line such as 'port: 8080', or in the environment, as \
            CARILLON_SERVE_PORT=8080. The command line comes before the environment, and the environment before the file.

            Examples:
              carillon serve --config /etc/carillon/carillon.yaml --check
              carillon serve --data ./data --topic com.example.chime --apns production \\
                --key AuthKey_ABC123DEFG.p8 --team-id TEAM123456
              carillon serve --database postgres://carillon@db.example.com/carillon?sslmode=verify-full \\
                --role sender --apns production
              carillon serve --data ./data --topic com.example.chime \\
                --apns-url https://localhost:2197 --apns-ca apns/ca.pem \\
                --key apns/AuthKey_SIMKEY0001.p8 --team-id SIMTEAM001
            """)

    /// A role of this process: `api` answers HTTP requests, and `sender` sends the messages.
    ///
    /// Another process that uses the same folder or database can have the other role.
    enum Role: String, CaseIterable, ExpressibleByArgument {
        case api
        case sender
    }

    @Option(
        help: ArgumentHelp(
            "A YAML file with options. It is read again when it changes, and at SIGHUP. (default: the environment variable CARILLON_SERVE_CONFIG)",
            valueName: "file"))
    var config: String?

    @Flag(
        help: ArgumentHelp(
            "Do not serve: read all settings, look at the database, try each credential against APNs, and say what is wrong.",
            discussion: "Changes nothing. Exit status: 0 when the service would start and could send, 1 otherwise."))
    var check = false

    @OptionGroup(title: "Database") var service: DataOption

    @Option(
        help: ArgumentHelp(
            "With --database: the secret of sign-in tokens that name no key, 32 or more bytes in hexadecimal; the same for all processes.",
            valueName: "file"))
    var signInSecret: String?

    @Flag(
        help: ArgumentHelp(
            "Refuse sign-in tokens that name no key of 'carillon sign-in-keys': the secret of --data or --sign-in-secret is not used.",
            discussion:
                "For every app of the service. With ES256 keys only, the service then has nothing with which a token can be made."
        ))
    var requireSignInKeys = false

    @OptionGroup var listener: ListenOptions

    @Option(
        help: ArgumentHelp(
            "The app's bundle id; can be repeated. Apps made before are served too.", valueName: "bundle id"))
    var topic: [String] = []

    @Option(
        help: ArgumentHelp(
            "production: each device token goes to its own environment. sandbox: all go to Apple's sandbox.",
            valueName: "environment"))
    var apns: APNsEnvironment?

    @Option(
        help: ArgumentHelp(
            "The address of another APNs, such as the simulator: https://localhost:2197.", valueName: "url"))
    var apnsURL: String?

    @Option(
        help: ArgumentHelp(
            "The certificate authority to trust instead of the system's, for APNs (PEM).", valueName: "file"))
    var apnsCA: String?

    @OptionGroup var proxy: ProxyOption

    @OptionGroup(title: "Credential") var key: KeyOptions

    @Option(help: "What this process does: api takes requests, sender delivers.")
    var role: [Role] = Role.allCases

    @Option(
        help: ArgumentHelp(
            "The seconds without a sign of life after which another sender takes over a sender's pushes; 10 to 86400.",
            valueName: "seconds"))
    var lease = Int(ServiceConfiguration.standardLease.components.seconds)

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "With --database: one connection more, on which processes say at once that they have committed something.",
            discussion: "Not through a pooler that pools by transaction: without it, the service looks every second."))
    var listen = true

    @OptionGroup(title: "Operators") var operators: OperatorOptions

    @OptionGroup(title: "TLS") var tls: TLSOptions

    @OptionGroup(title: "New installations") var registrations: RegistrationOptions

    @OptionGroup(title: "Callers") var calls: CallOptions

    @OptionGroup(title: "Log") var log: LogOptions

    @OptionGroup(title: "Limits and times") var limits: LimitOptions

    @Flag(help: "Stop when standard input closes, so that the service ends with the process that started it.")
    var untilStdinCloses = false

    func validate() throws {
        for topic in topic { try AppOption.check(topic) }
        guard signInSecret == nil || service.data == nil else {
            throw ValidationError("--sign-in-secret is for --database: with --data the secret is in DIR/sign-in.secret")
        }
        guard signInSecret == nil || !requireSignInKeys else {
            throw ValidationError("--sign-in-secret is not used with --require-sign-in-keys: leave one of them out")
        }
        guard listen || service.data == nil else {
            throw ValidationError("--no-listen is for --database: with --data there is no connection to listen on")
        }
        guard !role.contains(.sender) || (apns == nil) != (apnsURL == nil) else {
            throw ValidationError("say where to send: --apns production, --apns sandbox or --apns-url URL")
        }
        guard (10...86_400).contains(lease) else {
            throw ValidationError("--lease must be between 10 and 86400 seconds, longer than a send may take")
        }
        guard tls.tlsCertificate == nil || listener.address != nil else {
            throw ValidationError("--tls-certificate is for --port: over --socket, TLS is the proxy's")
        }
        guard tls.operatorTLSCertificate == nil || operators.operatorPort != nil else {
            throw ValidationError("--operator-tls-certificate needs --operator-port")
        }
        if let apnsCA { try CommandFile.checkExists(apnsCA, option: "--apns-ca") }
        if let other = operators.address, role.contains(.api), other.port != 0, other == listener.address {
            throw ValidationError("--operator-port must differ from --port: phones and operators have a listener each")
        }
    }

    func run() async throws {
        if check { return try await ServeCheck(command: self).run() }
        let levels = LogLevels(log.logLevel)
        let logger = log.logger("carillon.serve", levels)
        let input = untilStdinCloses ? StandardInputWatch() : nil
        let certificates = try checkBeforehand()
        let secret = try secret()
        let database = DatabaseWait(clock: SystemClock(), logger: logger)
        let store = try await self.service.openStore(listens: listen, database, logger: logger)
        guard let apps = try await database.answer(to: { try await store.apps.all() }) else { return }
        let credential = try optionCredential(apps)
        try check(apps, credential)
        let senders = role.contains(.sender) ? try makeSenders(store, logger: logger) : nil
        var configuration = configuration(credential, secret)
        (configuration.certificate, configuration.operatorCertificate) = certificates
        let service = try CarillonService(
            configuration: configuration, store: store, sender: senders, clock: SystemClock(), random: .system,
            logger: logger)
        service.addRoutes { WebPage.console.addRoutes(to: $0) }

        let services = members(beside: service, store, input, logger, levels)
        let group = ServiceGroup(
            configuration: .init(services: services, gracefulShutdownSignals: [.sigint, .sigterm], logger: logger))
        do {
            try await group.run()
        } catch {
            await senders?.shutdown()
            throw ListenFailure.explaining(error, places)
        }
        await senders?.shutdown()
    }

    /// Checks the settings that can be checked without the database, so that a start that fails leaves nothing behind.
    ///
    /// - Returns: the certificates of both listeners.
    private func checkBeforehand() throws -> (ListenerCertificate?, operators: ListenerCertificate?) {
        let certificates = (try tls.certificate(), operators: try tls.operatorCertificate())
        if role.contains(.sender) { _ = try makeEndpoints() }
        if let data = service.data {
            let path = try ServiceDirectory(path: data, creating: false).databasePath
            // A new database has no apps.
            if !FileManager.default.fileExists(atPath: path) { try check([], try optionCredential([])) }
        }
        return certificates
    }

    /// Returns the service and the tasks that run beside it, in the order of their start.
    private func members(
        beside service: CarillonService, _ store: Store, _ input: StandardInputWatch?, _ logger: Logger,
        _ levels: LogLevels
    ) -> [ServiceGroupConfiguration.ServiceConfiguration] {
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = [.init(service: service)]
        services.append(
            .init(
                service: ReadyLine(
                    service: service, host: role.contains(.api) ? listener.address?.host : nil,
                    socket: role.contains(.api) ? listener.socket : nil, operatorHost: operators.address?.host,
                    isSecure: tls.tlsCertificate != nil, operatorIsSecure: tls.operatorTLSCertificate != nil)))
        if let input {
            services.append(.init(service: input, successTerminationBehavior: .gracefullyShutdownGroup))
        }
        if let arguments = ServeArguments.current {
            let audit = SettingsAudit(audit: store.audit, clock: SystemClock(), logger: logger)
            let watch = SettingsWatch(
                arguments, clock: SystemClock(), logger: logger, adjust: adjustment(of: service, levels)
            ) { [role] in await audit.note($0, roles: role) }
            services.append(.init(service: watch))
        }
        services.append(.init(service: EndWatch(clock: SystemClock(), logger: logger)))
        return services
    }

    /// Returns a function that puts changed settings into effect while a service runs.
    private func adjustment(
        of service: CarillonService, _ levels: LogLevels
    ) -> @Sendable (ServeArguments) throws -> Void {
        let former = Mutex(configuration(nil, nil))
        return { arguments in
            let command: ServeCommand
            do { command = try ServeCommand.parse(arguments.arguments) } catch {
                throw ValidationError(ServeCommand.message(for: error))
            }
            levels.change(to: command.log.logLevel)
            let changed = command.configuration(nil, nil)
            former.withLock { former in
                service.adjust(to: changed, from: former)
                former = changed
            }
        }
    }

    /// The host and port of a listener, and the command-line option that sets the port, such as `--port`.
    typealias Place = (host: String, port: Int, option: String)

    /// Returns whether a listener speaks TLS.
    func isSecure(_ place: Place) -> Bool {
        (place.option == "--port" ? tls.tlsCertificate : tls.operatorTLSCertificate) != nil
    }

    /// The host and port of each listener of this process that has a port, and the option that sets the port, to explain errors.
    var places: [Place] {
        let others = operators.address.map { [($0.host, $0.port, "--operator-port")] } ?? []
        let own = role.contains(.api) ? listener.address : nil
        return (own.map { [($0.host, $0.port, "--port")] } ?? []) + others
    }

    private func configuration(_ credential: CredentialReference?, _ secret: Data?) -> ServiceConfiguration {
        let credentials = Dictionary(
            uniqueKeysWithValues: APNsEnvironment.allCases.compactMap { each in credential.map { (each, $0) } })
        var configuration = ServiceConfiguration(
            apps: topic.map { AppSettings(topic: $0, credentials: credentials) },
            signInSecret: secret,
            roles: Set(role.map { $0 == .api ? .api : .sender }), host: listener.address?.host ?? "",
            port: listener.address?.port,
            leaseDuration: .seconds(lease), registrationLimits: registrations.limits,
            callLimits: calls.limits, connectionLimits: calls.connectionLimits,
            proxies: TrustedProxies(registrations.trustedProxy))
        configuration.socket = listener.socketPlace
        configuration.operators = operators.address
        configuration.hostNames = operators.hostName
        configuration.webhooksReachPrivateNetworks = operators.webhooksToPrivateNetworks
        configuration.doors = Set(operators.door)
        configuration.actor = .person
        limits.apply(to: &configuration)
        return configuration
    }

    /// Returns the secret for sign-in tokens that name no key.
    ///
    /// With `--require-sign-in-keys`, and with PostgreSQL without a secret file, there is none: only tokens that name a key of
    /// `carillon sign-in-keys` are valid.
    private func secret() throws -> Data? {
        if requireSignInKeys { return nil }
        if let directory = try service.directory() { return try directory.signInSecret() }
        guard let signInSecret else { return nil }
        return try ServiceDirectory.secret(in: URL(fileURLWithPath: signInSecret))
    }

    /// Checks that the service has an app and, if this process sends pushes, that at least one app has a credential.
    ///
    /// - Throws: an error whose description names the missing option.
    private func check(_ apps: [AppRecord], _ credential: CredentialReference?) throws {
        guard !topic.isEmpty || !apps.isEmpty else {
            throw ValidationError("--topic is missing: the app's bundle id; or add apps with 'carillon apps add'")
        }
        guard credential == nil || !topic.isEmpty else {
            throw ValidationError("--key needs --topic: the app whose pushes it signs")
        }
        // If no app has a credential, the command line is incomplete. Otherwise, missing credentials may still be
        // added.
        let canSend = credential != nil || apps.contains { !$0.credentials.isEmpty }
        if role.contains(.sender), !canSend { _ = try key.parts() }
    }

    /// Returns whether the apps in `--topic` get the signing key of `--key`, or of the environment variable CARILLON_KEY.
    ///
    /// The result is `true` in three cases:
    /// - `--key` is given.
    /// - The environment variable is set, and `--key-id` or `--team-id` is given.
    /// - The environment variable is set, this process sends pushes, and one of these apps has no credential.
    private func usesKey(_ apps: [AppRecord]) -> Bool {
        if key.key != nil { return true }
        guard !topic.isEmpty, key.place != nil else { return false }
        if key.keyID != nil || key.teamID != nil { return true }
        let equipped = Set(apps.lazy.filter { !$0.credentials.isEmpty }.map(\.topic))
        return role.contains(.sender) && !equipped.isSuperset(of: topic)
    }

    /// Returns the credential that the options give to the apps of `--topic`; `nil` if those apps keep their own.
    func optionCredential(_ apps: [AppRecord]) throws -> CredentialReference? {
        usesKey(apps) ? try appCredential() : nil
    }

    /// Returns the credential that the options name.
    ///
    /// The function also loads the credential, so that the command fails at its start if the credential is invalid.
    private func appCredential() throws -> CredentialReference {
        let (path, keyID, teamID) = try key.parts()
        try CommandFile.checkIsForService(path, option: "--key")
        _ = try key.signingKey()
        return .signingKey(path: path, keyID: keyID, teamID: teamID)
    }

    /// Returns the APNs server for device tokens of the production environment, and the server for tokens of the
    /// sandbox.
    func endpoints() throws -> (production: APNsEndpoint, sandbox: APNsEndpoint) {
        let one = try apnsURL.map { try APNsEndpoint(url: $0, option: "--apns-url") }
        return (one ?? (apns == .sandbox ? .sandbox : .production), one ?? .sandbox)
    }

    /// Makes a client for a few pushes to one of the service's APNs servers, without log output.
    func client(_ credential: APNsCredential, at endpoint: APNsEndpoint) throws -> APNsClient {
        try APNsClient(
            configuration: APNsConfiguration(
                endpoint: endpoint, credential: credential, trustRoots: try trustRoots(), clock: SystemClock(),
                seed: UInt64.random(in: .min ... .max), defaultDeadline: CommandLimits.checkDeadline,
                proxy: try proxy.proxy(for: endpoint)),
            logger: Logger(label: "carillon") { _ in SwiftLogNoOpLogHandler() })
    }

    private func trustRoots() throws -> APNsTrustRoots {
        try apnsCA.map { .pem(try CommandFile.pem(at: $0, option: "--apns-ca")) } ?? .system
    }

    private func makeEndpoints() throws -> AppSenders.Endpoints {
        let (production, sandbox) = try endpoints()
        let proxies = try Dictionary(
            [production, sandbox].compactMap { endpoint in try proxy.proxy(for: endpoint).map { (endpoint, $0) } },
            uniquingKeysWith: { first, _ in first })
        return AppSenders.Endpoints(
            production: production, sandbox: sandbox, trustRoots: try trustRoots(), proxies: proxies)
    }

    private func makeSenders(_ store: Store, logger: Logger) throws -> AppSenders {
        AppSenders(
            apps: store.apps, endpoints: try makeEndpoints(),
            certificatePassword: APNsCredential.passwordInEnvironment, lease: .seconds(lease), clock: SystemClock(),
            logger: logger)
    }
}
