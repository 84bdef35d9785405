import CarillonAPNs
import CarillonCore
import Foundation
import Logging
import Synchronization

/// Sends each app's pushes with the app's own credential.
///
/// A credential's file is read when it is first needed and once an hour. It is read again after a push did not reach APNs or
/// its credential was refused. Apps with one credential share a client and its connections.
package actor AppSenders: NotificationSender {
    /// The addresses of APNs in both environments.
    package struct Endpoints: Sendable {
        var production: APNsEndpoint
        var sandbox: APNsEndpoint
        var trustRoots: APNsTrustRoots
        /// The proxies to use for these addresses.
        var proxies: [APNsEndpoint: APNsProxy]

        package init(
            production: APNsEndpoint, sandbox: APNsEndpoint, trustRoots: APNsTrustRoots,
            proxies: [APNsEndpoint: APNsProxy] = [:]
        ) {
            (self.production, self.sandbox) = (production, sandbox)
            (self.trustRoots, self.proxies) = (trustRoots, proxies)
        }
    }

    private struct Source: Hashable {
        var host: String
        var port: Int
        var reference: CredentialReference
        var file: Data

        /// Returns whether another source is the same credential file with new contents.
        func isReplaced(by other: Source) -> Bool {
            (host, port, reference) == (other.host, other.port, other.reference) && file != other.file
        }
    }

    private let apps: AppCalls
    private let endpoints: Endpoints
    private let certificatePassword: String?
    private let logger: Logger
    private var clients: [Source: APNsClient] = [:]
    private let known = Mutex<[AppID: APNsClient]>([:])

    /// Makes a sender for the apps of a store.
    ///
    /// - Parameters:
    ///   - apps: the calls that read each app's credential from the store.
    ///   - endpoints: the addresses of APNs.
    ///   - certificatePassword: the password of certificates; `nil` for none.
    ///   - logger: the logger for connection events.
    package init(apps: AppCalls, endpoints: Endpoints, certificatePassword: String?, logger: Logger) {
        self.apps = apps
        self.endpoints = endpoints
        self.certificatePassword = certificatePassword
        self.logger = logger
    }

    package nonisolated func send(_ push: ComposedPush) async -> SendOutcome {
        switch await client(of: push.app) {
        case .failure(let problem): problem.outcome
        case .success(let client): noting(await client.send(push), of: push.app)
        }
    }

    package nonisolated func send(
        _ pushes: [ComposedPush], answered: @escaping @Sendable ([(place: Int, outcome: SendOutcome)]) -> Void
    ) async {
        guard let app = pushes.first?.app else { return }
        switch await client(of: app) {
        case .failure(let problem):
            answered(pushes.indices.map { ($0, problem.outcome) })
        case .success(let client):
            await client.send(pushes) { answers in
                for answer in answers { _ = self.noting(answer.outcome, of: app) }
                answered(answers)
            }
        }
    }

    /// Returns the outcome unchanged.
    ///
    /// If the credential may be at fault, it forgets the app's client, so that the file is read again. A server that refuses a
    /// certificate closes the connection, before or after the handshake.
    private nonisolated func noting(_ outcome: SendOutcome, of app: AppID) -> SendOutcome {
        let isSuspect =
            switch outcome {
            case .rejected(let rejection): rejection.remedy == .fixCredential
            case .unconnected, .distrusted, .unanswered, .notSent: true
            case .accepted, .noCredential, .notBegun, .unsendable: false
            }
        if isSuspect { known.withLock { $0[app] = nil } }
        return outcome
    }

    /// Returns the certificates of all apps that end soon or have ended, used or not.
    package func endingCredentials(at now: Timestamp) async -> [EndingCredential] {
        var ending: [EndingCredential] = []
        for app in (try? await apps.all()) ?? [] {
            for (environment, reference) in app.credentials.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                guard case .certificate = reference, let file = CredentialReference.contents(at: reference.path),
                    case .certificate(let certificate)? = try? reference.credential(
                        in: file, certificatePassword: certificatePassword),
                    let advice = certificate.warning(at: now)
                else { continue }
                let id = AppID(topic: app.topic, environment: environment)
                ending.append(EndingCredential(app: id, end: certificate.validUntil, advice: advice))
            }
        }
        // Forgets the clients, so that the next push uses files that were renewed meanwhile.
        known.withLock { $0.removeAll() }
        return ending
    }

    package func shutdown() async {
        for client in clients.values { await client.shutdown() }
    }

    private nonisolated func client(of app: AppID) async -> Result<APNsClient, NoClient> {
        if let client = known.withLock({ $0[app] }) { return .success(client) }
        do {
            return .success(try await openedClient(of: app))
        } catch let problem as MissingCredential {
            return .failure(NoClient(outcome: .noCredential(problem.description)))
        } catch let problem as APNsError {
            return .failure(NoClient(outcome: .noCredential(problem.description)))
        } catch {
            return .failure(NoClient(outcome: .notSent("the app's credential cannot be looked up")))
        }
    }

    private func openedClient(of app: AppID) async throws -> APNsClient {
        guard let reference = try await apps.app(app.topic)?.credentials[app.environment] else {
            throw MissingCredential(description: "the app has none")
        }
        let client = try makeClient(for: reference, at: endpoint(of: app))
        known.withLock { $0[app] = client }
        return client
    }

    private func makeClient(for reference: CredentialReference, at endpoint: APNsEndpoint) throws -> APNsClient {
        guard let file = CredentialReference.contents(at: reference.path) else {
            throw MissingCredential(description: "its file cannot be read: \(reference.path)")
        }
        let source = Source(host: endpoint.host, port: endpoint.port, reference: reference, file: file)
        if let client = clients[source] { return client }
        let credential: APNsCredential
        do {
            credential = try reference.credential(in: file, certificatePassword: certificatePassword)
        } catch {
            throw MissingCredential(description: "its file has no usable credential: \(reference.path): \(error)")
        }
        let client = try APNsClient(
            configuration: APNsConfiguration(
                endpoint: endpoint, credential: credential, trustRoots: endpoints.trustRoots, clock: SystemClock(),
                seed: UInt64.random(in: .min ... .max), defaultDeadline: ServiceLimits.pushDeadline,
                proxy: endpoints.proxies[endpoint]),
            logger: logger)
        for (old, client) in clients where old.isReplaced(by: source) {
            clients[old] = nil
            known.withLock { known in known = known.filter { $0.value !== client } }
            // The old client ends when its pushes in flight have been answered.
            Task { await client.shutdown() }
        }
        clients[source] = client
        return client
    }

    private func endpoint(of app: AppID) -> APNsEndpoint {
        switch app.environment {
        case .production: endpoints.production
        case .sandbox: endpoints.sandbox
        }
    }
}

/// An error that carries the outcome of pushes for which no client can be made.
private struct NoClient: Error {
    let outcome: SendOutcome
}

/// An error that says why an app has no usable credential.
private struct MissingCredential: Error {
    let description: String
}
