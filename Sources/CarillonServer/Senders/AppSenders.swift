import CarillonAPNs
import CarillonCore
import Foundation
import Logging
import Synchronization

/// Sends each app's pushes with the app's own credential.
///
/// The type reads a credential's file before the first push with that credential, when the file has changed, and once an hour. It
/// also reads the file again after a push that did not reach APNs, or after APNs has refused the credential.
///
/// One push tries a new credential; the old credential stays in use until the new one works. Apps that use one credential share a
/// client and its connections. All clients share a few event loops.
package actor AppSenders: NotificationSender {
    /// The addresses of APNs in both environments.
    package struct Endpoints: Sendable {
        var production: APNsEndpoint
        var sandbox: APNsEndpoint
        var trustRoots: APNsTrustRoots
        /// The proxy for each address; an address without an entry has none.
        var proxies: [APNsEndpoint: APNsProxy]

        package init(
            production: APNsEndpoint, sandbox: APNsEndpoint, trustRoots: APNsTrustRoots,
            proxies: [APNsEndpoint: APNsProxy] = [:]
        ) {
            (self.production, self.sandbox) = (production, sandbox)
            (self.trustRoots, self.proxies) = (trustRoots, proxies)
        }
    }

    package typealias Answered = @Sendable ([(place: Int, outcome: SendOutcome)]) -> Void

    private struct Source: Hashable {
        var host: String
        var port: Int
        var reference: CredentialReference
        var file: Data
    }

    /// The APNs client of an app, and the client with the app's former credential until a push shows that the new credential
    /// works.
    private struct Clients: Sendable {
        var client: APNsClient
        var former: APNsClient?
        var source: Source
    }

    private let apps: AppCalls
    private let endpoints: Endpoints
    private let certificatePassword: String?
    /// The longest time that a push waits for its answer.
    private let deadline: Duration
    private let clock: any CarillonClock
    private let logger: Logger
    /// The lines of all clients, which could repeat them with each attempt to connect.
    private let clientLines: RepeatedLines
    private let eventLoops = APNsEventLoops()
    private var isShutDown = false
    private var clients: [Source: APNsClient] = [:]
    /// The clients that no app uses any more and that await their last answers.
    private var ending: [APNsClient] = []
    /// The statistics of all clients that have ended, added up.
    private var ended = ClientTally()
    /// The bundle ids of all apps, as the last check for changes found them; `nil` before the first check.
    private var knownApps: Set<String>?
    /// The bundle ids of the apps that were found to be removed since the last call of ``takeRemovedApps()``.
    private var removedApps: Set<String> = []
    private let known = Mutex<[AppID: Clients]>([:])
    /// The APNs address and the credential that each app uses now.
    private var working: [AppID: Source] = [:]
    /// The address at which each app's channels are managed, and the credential.
    private var managers: [AppID: Source] = [:]
    /// The APNs address and the new credential that each app tries, while the old credential is used.
    private var onTrial: [AppID: Source] = [:]
    /// The new credential that APNs refuses, and the APNs address, for each app that therefore continues with its old credential.
    private var refused: [AppID: Source] = [:]
    /// Each app's credential, as the last check for changes found it.
    private var seen: [AppID: Source] = [:]
    /// The reason for which an app's new credential cannot be used, as the log has it.
    private var unusable: [AppID: String] = [:]

    /// Makes a sender for the apps of a store.
    ///
    /// - Parameters:
    ///   - apps: the calls that read each app's credential from the store.
    ///   - endpoints: the addresses of APNs.
    ///   - certificatePassword: the password of certificates; `nil` for none.
    ///   - lease: the time for which a sender has the exclusive right to send a push; it limits the wait for an answer.
    ///   - clock: the source of all times of the clients.
    ///   - logger: the logger for events of connections.
    package init(
        apps: AppCalls, endpoints: Endpoints, certificatePassword: String?,
        lease: Duration = ServiceConfiguration.standardLease, clock: any CarillonClock, logger: Logger
    ) {
        deadline = DeliveryLimits.pushDeadline(underLease: lease)
        self.apps = apps
        self.endpoints = endpoints
        self.certificatePassword = certificatePassword
        self.clock = clock
        self.logger = logger
        clientLines = RepeatedLines(clock: clock, logger: logger)
    }

    package nonisolated var place: String? {
        let (production, sandbox) = (endpoints.production.description, endpoints.sandbox.description)
        return production == sandbox ? production : "\(production),\(sandbox)"
    }

    package nonisolated func send(_ push: ComposedPush) async -> SendOutcome {
        let outcome = SharedValue(SendOutcome.notBegun)
        await send([push], until: SendDeadline(at: clock.uptime + deadline, on: clock)) { answers in
            for answer in answers { outcome.withLock { $0 = answer.outcome } }
        }
        return outcome.withLock { $0 }
    }

    package nonisolated func send(
        _ pushes: [ComposedPush], until deadline: SendDeadline, answered: @escaping Answered
    ) async {
        guard let app = pushes.first?.app else { return }
        switch await clients(of: app) {
        case .failure(let problem):
            answered(pushes.indices.map { ($0, problem.outcome) })
        case .success(let clients):
            guard let former = clients.former else {
                return await send(pushes[...], of: app, with: clients.client, until: deadline, answered: answered)
            }
            await send(pushes, of: app, trying: clients, beside: former, until: deadline, answered: answered)
        }
    }

    package nonisolated func perform(_ request: ChannelCommand, id: UUID, for app: AppID) async -> ChannelAnswer {
        switch await clients(of: app) {
        case .failure(let problem):
            guard case .noCredential(let why) = problem.outcome else {
                return .failed("\(problem.outcome)", mayHaveArrived: false)
            }
            return .failed(why, mayHaveArrived: false)
        case .success(let clients):
            let client: APNsClient
            if case .broadcast = request {
                client = clients.former ?? clients.client
            } else {
                guard let manager = try? await manager(of: app, clients.source) else {
                    return .failed("there is no client for Apple's channel management", mayHaveArrived: false)
                }
                client = manager
            }
            return await client.perform(request, id: id, for: app)
        }
    }

    /// Returns the client that manages an app's channels.
    private func manager(of app: AppID, _ source: Source) throws -> APNsClient {
        guard !isShutDown else { throw EndedError() }
        let address = endpoint(of: app).channels
        let managing = Source(host: address.host, port: address.port, reference: source.reference, file: source.file)
        managers[app] = managing
        return try client(for: managing, of: app)
    }

    /// Sends pushes with one client.
    ///
    /// The deadline may have passed while the client was looked up or a new credential was tried; then no push is sent.
    private nonisolated func send(
        _ pushes: ArraySlice<ComposedPush>, of app: AppID, with client: APNsClient, until deadline: SendDeadline,
        answered: @escaping Answered
    ) async {
        let isRefused = SharedValue(false)
        await client.send(Array(pushes), until: deadline) { [first = pushes.startIndex] answers in
            for answer in answers {
                self.note(answer.outcome, of: app)
                if answer.outcome.refusesCredential { isRefused.withLock { $0 = true } }
            }
            answered(answers.map { ($0.place + first, $0.outcome) })
        }
        if isRefused.withLock({ $0 }) { await forgetRefusal(of: app) }
    }

    /// Tries a new credential with the first of the pushes, and then sends the others.
    ///
    /// The trial takes a part of the time only (``DeliveryLimits/trialsPerDeadline``). If APNs has accepted the push by then, the
    /// others go out with the new credential, and otherwise with the old one: an APNs that does not answer shows nothing about
    /// either.
    private nonisolated func send(
        _ pushes: [ComposedPush], of app: AppID, trying clients: Clients, beside former: APNsClient,
        until deadline: SendDeadline, answered: @escaping Answered
    ) async {
        let time = deadline.left / DeliveryLimits.trialsPerDeadline
        guard let push = pushes.first, time > .zero else {
            return answered(pushes.indices.map { ($0, .notBegun) })
        }
        let outcome = await clients.client.send(push, within: time)
        if outcome.refusesCredential {
            await refuse(clients.source, for: app)
            return await send(pushes[...], of: app, with: former, until: deadline, answered: answered)
        }
        if outcome.provesSending { await use(clients.source, for: app) }
        note(outcome, of: app)
        answered([(0, outcome)])
        let client = outcome.provesSending ? clients.client : former
        if pushes.count > 1 {
            await send(pushes[1...], of: app, with: client, until: deadline, answered: answered)
        }
    }

    // MARK: New credentials

    /// Starts to use a new credential that works, and drops clients that no app uses any more.
    private func use(_ source: Source, for app: AppID) {
        guard working[app] != source else { return }
        (working[app], onTrial[app]) = (source, nil)
        known.withLock { $0[app] = nil }
        logger.notice("an app's new credential works and is used from now on", metadata: ["app": "\(app)"])
        dropUnused()
    }

    /// Ends the clients that no app uses any more.
    private func dropUnused() {
        let used = Set(working.values).union(onTrial.values).union(known.withLock { $0.values.map(\.source) })
            .union(managers.values.filter { manager in working.values.contains { $0.file == manager.file } })
        for (old, client) in clients where !used.contains(old) {
            clients[old] = nil
            ending.append(client)
            // The client ends when its pushes in flight have been answered.
            Task {
                await client.shutdown()
                noteEnd(of: client)
            }
        }
    }

    private func noteEnd(of client: APNsClient) {
        ending.removeAll { $0 === client }
        ended.add(client.statistics)
    }

    private func refuse(_ source: Source, for app: AppID) {
        guard refused[app] != source else { return }
        (refused[app], onTrial[app]) = (source, nil)
        known.withLock { $0[app] = nil }
        logger.error(
            "APNs refuses an app's new credential: the old one is used", metadata: ["app": "\(app)"])
        dropUnused()
    }

    /// Forgets that APNs refused an app's new credential, because APNs now refuses the old one too.
    ///
    /// The next push tries the new credential again.
    private func forgetRefusal(of app: AppID) { refused[app] = nil }

    package func refusedCredentials() async -> Set<AppID> { Set(refused.keys) }

    /// Reads the credential files of all apps, and returns the apps whose credential has changed since the last check.
    package func changedCredentials() async -> Set<AppID> {
        guard let all = try? await apps.all() else { return [] }
        let topics = Set(all.map(\.topic))
        logChanges(of: topics)
        var changed = forgetApps(except: topics)
        for app in all {
            for (environment, reference) in app.credentials {
                let id = AppID(topic: app.topic, environment: environment)
                guard reference.isRegularFile, let file = CredentialReference.contents(at: reference.path) else {
                    continue
                }
                let source = source(of: id, reference, file)
                if let before = seen.updateValue(source, forKey: id), before != source { changed.insert(id) }
            }
        }
        for app in changed { (refused[app], onTrial[app]) = (nil, nil) }
        known.withLock { [changed] known in known = known.filter { !changed.contains($0.key) } }
        if !changed.isEmpty { dropUnused() }
        return changed
    }

    /// Logs apps that were added or removed since the last check.
    ///
    /// A command in another process adds and removes apps, so this process learns of them only by a check.
    private func logChanges(of topics: Set<String>) {
        let before = knownApps ?? topics
        for topic in topics.subtracting(before).sorted() {
            logger.notice("an app was added", metadata: ["app": "\(topic)"])
        }
        for topic in before.subtracting(topics).sorted() {
            logger.notice("an app was removed: nothing of it is sent any more", metadata: ["app": "\(topic)"])
            removedApps.insert(topic)
        }
        knownApps = topics
    }

    package func takeRemovedApps() async -> Set<String> {
        defer { removedApps = [] }
        return removedApps
    }

    /// Forgets the credentials of removed apps, and ends the clients that no other app uses.
    ///
    /// - Parameter topics: the bundle ids of all apps.
    /// - Returns: the removed apps whose credentials were known.
    private func forgetApps(except topics: Set<String>) -> Set<AppID> {
        let removed = Set(working.keys).union(seen.keys).filter { !topics.contains($0.topic) }
        guard !removed.isEmpty else { return [] }
        for app in removed {
            (working[app], onTrial[app], seen[app], refused[app], unusable[app]) = (nil, nil, nil, nil, nil)
        }
        known.withLock { known in known = known.filter { !removed.contains($0.key) } }
        dropUnused()
        return removed
    }

    package func clientTally() async -> ClientTally {
        var tally = ClientTally()
        for client in clients.values { tally.add(client.statistics) }
        for client in ending { tally.add(client.statistics) }
        tally.add(ended: ended)
        return tally
    }

    /// Records the outcome of a push.
    ///
    /// If the credential may be at fault, the function forgets the app's client, so that the next push reads the credential's
    /// file again. A lost connection counts too, because a server refuses a certificate by closing the connection.
    private nonisolated func note(_ outcome: SendOutcome, of app: AppID) {
        let isSuspect =
            switch outcome {
            case .rejected: outcome.refusesCredential
            case .unconnected, .distrusted, .unanswered, .notSent: true
            case .accepted, .withheld, .noCredential, .notBegun, .unsendable: false
            }
        if isSuspect { known.withLock { $0[app] = nil } }
    }

    /// Returns the certificates of all apps, each with the time at which it expires.
    package func credentialEnds(at now: Timestamp) async -> [EndingCredential] {
        var ending: [EndingCredential] = []
        for app in (try? await apps.all()) ?? [] {
            for (environment, reference) in app.credentials.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                guard case .certificate = reference, let file = CredentialReference.contents(at: reference.path),
                    case .certificate(let certificate)? = try? reference.credential(
                        in: file, certificatePassword: certificatePassword)
                else { continue }
                let id = AppID(topic: app.topic, environment: environment)
                ending.append(
                    EndingCredential(app: id, end: certificate.validUntil, advice: certificate.warning(at: now)))
            }
        }
        // Forgets the clients, so that the next push reads files that were renewed meanwhile.
        known.withLock { $0.removeAll() }
        refused = [:]
        return ending
    }

    /// Ends all clients, and returns when they have ended.
    ///
    /// Later pushes are not sent. This method may be called any number of times and from several tasks at once.
    package func shutdown() async {
        isShutDown = true
        await withDiscardingTaskGroup { group in
            for client in Array(clients.values) + ending { group.addTask { await client.shutdown() } }
        }
        await eventLoops.shutdown()
    }

    private nonisolated func clients(of app: AppID) async -> Result<Clients, NoClient> {
        if let clients = known.withLock({ $0[app] }) { return .success(clients) }
        do {
            return .success(try await openedClients(of: app))
        } catch is RemovedAppError {
            return .failure(NoClient(outcome: .unsendable("the app was removed")))
        } catch is EndedError {
            return .failure(NoClient(outcome: .notBegun))
        } catch let problem as MissingCredential {
            return .failure(NoClient(outcome: .noCredential(problem.description)))
        } catch let problem as APNsError {
            return .failure(NoClient(outcome: .noCredential(problem.description)))
        } catch {
            return .failure(NoClient(outcome: .notSent("the app's credential cannot be looked up")))
        }
    }

    private func openedClients(of app: AppID) async throws -> Clients {
        guard let record = try await apps.app(app.topic) else { throw RemovedAppError() }
        guard !isShutDown else { throw EndedError() }
        guard let reference = record.credentials[app.environment] else {
            throw MissingCredential(description: "the app has none")
        }
        let former = working[app].flatMap { source in clients[source].map { (source: source, client: $0) } }
        let opened: Clients
        do {
            guard let file = CredentialReference.contents(at: reference.path) else {
                throw MissingCredential(description: "its file cannot be read: \(reference.path)")
            }
            if let exposure = CredentialReference.exposure(of: reference.path) {
                throw MissingCredential(description: exposure)
            }
            let source = source(of: app, reference, file)
            if let former, refused[app] == source {
                opened = Clients(client: former.client, former: nil, source: former.source)
            } else {
                let client = try client(for: source, of: app)
                let isTrial = former.map { $0.source != source } ?? false
                opened = Clients(client: client, former: isTrial ? former?.client : nil, source: source)
                if former == nil { working[app] = source }
                onTrial[app] = isTrial ? source : nil
                unusable[app] = nil
            }
        } catch let problem as MissingCredential {
            guard let former else { throw problem }
            // The credential is looked at again after each push that fails.
            if unusable.updateValue(problem.description, forKey: app) != problem.description {
                logger.error(
                    "an app's new credential cannot be used: the old one is",
                    metadata: ["app": "\(app)", "why": "\(problem.description)"])
            }
            opened = Clients(client: former.client, former: nil, source: former.source)
        }
        known.withLock { $0[app] = opened }
        return opened
    }

    private func source(of app: AppID, _ reference: CredentialReference, _ file: Data) -> Source {
        let endpoint = endpoint(of: app)
        return Source(host: endpoint.host, port: endpoint.port, reference: reference, file: file)
    }

    private func client(for source: Source, of app: AppID) throws -> APNsClient {
        if let client = clients[source] { return client }
        let reference = source.reference
        let endpoint = APNsEndpoint(host: source.host, port: source.port)
        let credential: APNsCredential
        do {
            credential = try reference.credential(in: source.file, certificatePassword: certificatePassword)
        } catch {
            throw MissingCredential(description: "its file has no usable credential: \(reference.path): \(error)")
        }
        var configuration = APNsConfiguration(
            endpoint: endpoint, credential: credential, trustRoots: endpoints.trustRoots, clock: clock,
            seed: UInt64.random(in: .min ... .max), defaultDeadline: deadline,
            proxy: endpoints.proxies[self.endpoint(of: app)])
        configuration.eventLoops = eventLoops
        let client = try APNsClient(configuration: configuration, logger: clientLogger(at: endpoint))
        clients[source] = client
        return client
    }

    /// Returns the logger for the clients of an address of APNs.
    private func clientLogger(at endpoint: APNsEndpoint) -> Logger {
        let (base, lines) = (logger, clientLines)
        return Logger(label: base.label) { _ in
            RepeatedLineHandler(before: base, lines: lines, kind: endpoint.description)
        }
    }

    private func endpoint(of app: AppID) -> APNsEndpoint {
        switch app.environment {
        case .production: endpoints.production
        case .sandbox: endpoints.sandbox
        }
    }
}

extension APNsEndpoint {
    /// The address at which channels are managed.
    ///
    /// Apple has one of its own; any other server, such as the simulator, manages them at the address of pushes.
    fileprivate var channels: APNsEndpoint {
        switch host {
        case Self.production.host: .productionChannels
        case Self.sandbox.host: .sandboxChannels
        default: self
        }
    }
}

/// An error: no APNs client can be made for an app.
///
/// Each push of the app then gets the outcome `outcome`.
private struct NoClient: Error {
    let outcome: SendOutcome
}

/// The error that the sender has been shut down.
private struct EndedError: Error {}

/// The error that the app of a push was removed.
private struct RemovedAppError: Error {}

/// An error that explains why an app has no usable credential.
private struct MissingCredential: Error {
    let description: String
}

extension SendOutcome {
    /// Whether the outcome is a refusal of the app's credential by APNs.
    fileprivate var refusesCredential: Bool {
        guard case .rejected(let rejection) = self else { return false }
        return rejection.remedy == .fixCredential
    }
}
