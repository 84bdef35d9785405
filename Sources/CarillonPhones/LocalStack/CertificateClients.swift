import CarillonAPNs
import CarillonSimulator
import ServiceLifecycle

/// The APNs clients that authenticate with an app's certificate instead of the account's key.
///
/// A certificate is valid for one app, so every app has a client of its own. Each client is made when it is first used.
actor CertificateClients: Service {
    private let simulator: APNsSimulator
    private let makeClient: @Sendable (APNsCredential) throws -> APNsClient
    private var clients: [String: APNsClient] = [:]

    /// Makes the actor, at first without clients.
    ///
    /// - Parameters:
    ///   - simulator: the simulated APNs, which issues the certificates.
    ///   - makeClient: makes a client that authenticates with the given credential.
    init(simulator: APNsSimulator, makeClient: @escaping @Sendable (APNsCredential) throws -> APNsClient) {
        self.simulator = simulator
        self.makeClient = makeClient
    }

    /// Returns the client that authenticates with the certificate of an app.
    ///
    /// The certificate names only the app's bundle id, as Apple's certificates once did. APNs therefore answers TopicDisallowed
    /// to a push whose topic needs a suffix, such as a call.
    ///
    /// - Parameter bundleID: the app's bundle id.
    /// - Returns: the client. ``run()`` shuts it down together with all other clients.
    /// - Throws: ``PageProblem`` if this APNs does not know the app, or no certificate can be issued for it.
    func client(for bundleID: String) throws -> APNsClient {
        if let client = clients[bundleID] { return client }
        guard simulator.topics.contains(bundleID) else {
            throw PageProblem(
                422, "No certificate",
                "There is no certificate of \(bundleID): this APNs has one of each app on the page’s list.")
        }
        do {
            let issued = try simulator.issueClientCertificate(
                topics: [bundleID], environments: [simulator.environment])
            let certificate = try APNsCertificate(
                certificatePEM: issued.certificatePEM, privateKeyPEM: issued.privateKeyPEM)
            let client = try makeClient(.certificate(certificate))
            clients[bundleID] = client
            return client
        } catch {
            throw PageProblem(500, "No certificate", "No certificate can be issued for \(bundleID): \(error)")
        }
    }

    /// Waits until the process is asked to end, and then shuts all clients down.
    func run() async throws {
        try? await gracefulShutdown()
        for client in clients.values { await client.shutdown() }
    }
}
