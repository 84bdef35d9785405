import ArgumentParser
import CarillonAPNs
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation
import ServiceSupport

/// A try of one of the service's credentials against APNs, for an app in one environment.
struct CredentialTrial: Hashable {
    /// The outcome of a try.
    enum Outcome: Sendable {
        /// The credential could not be loaded; the text says why.
        case unusable(String)
        /// APNs has answered, or could not be asked.
        case judged(CredentialVerdict, certificateEnd: Timestamp?)
    }

    let topic: String
    let endpoint: APNsEndpoint
    let reference: CredentialReference

    /// Returns the tries for all credentials, each pair of credential and server once.
    ///
    /// - Parameters:
    ///   - credentials: the credentials of each app, by bundle id.
    ///   - production: the server for the production environment.
    ///   - sandbox: the server for the sandbox environment.
    /// - Returns: the tries, ordered by app.
    static func all(
        of credentials: [String: [APNsEnvironment: CredentialReference]], production: APNsEndpoint,
        sandbox: APNsEndpoint
    ) -> [CredentialTrial] {
        var trials: [CredentialTrial] = []
        for (topic, credentials) in credentials.sorted(by: { $0.key < $1.key }) {
            for environment in APNsEnvironment.allCases {
                guard let reference = credentials[environment] else { continue }
                let trial = CredentialTrial(
                    topic: topic, endpoint: environment == .production ? production : sandbox, reference: reference)
                if !trials.contains(trial) { trials.append(trial) }
            }
        }
        return trials
    }

    /// Loads the credential and sends a push to a random device token.
    ///
    /// - Parameter client: makes a client with the credential, for the server.
    /// - Returns: the outcome.
    func run(with client: (APNsCredential, APNsEndpoint) throws -> APNsClient) async -> Outcome {
        do {
            try CommandFile.checkIsForService(reference.path, option: "the credential of \(topic)")
            guard let file = CredentialReference.contents(at: reference.path) else {
                return .unusable("\(reference.path) cannot be read")
            }
            let credential = try reference.credential(
                in: file, certificatePassword: APNsCredential.passwordInEnvironment)
            let client = try client(credential, endpoint)
            let verdict = await CredentialProbe.verdict(on: topic, with: client, at: endpoint.host)
            await client.shutdown()
            return .judged(verdict, certificateEnd: credential.certificateEnd)
        } catch {
            return .unusable(ServeCommand.message(for: error))
        }
    }
}
