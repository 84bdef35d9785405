import ArgumentParser
import CarillonAPNs
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation
import ServiceSupport

/// A test of one of the service's credentials against an APNs server, for one app.
struct CredentialTrial: Hashable {
    /// The outcome of the test.
    enum Outcome: Sendable {
        /// The credential could not be loaded; the text says why.
        case unusable(String)
        /// The credential was loaded and tried.
        ///
        /// The verdict follows from APNs' answer, or says that APNs could not be reached. `certificateEnd` is the time at which a
        /// certificate expires; `nil` for a signing key.
        case judged(CredentialVerdict, certificateEnd: Timestamp?)
    }

    let topic: String
    let endpoint: APNsEndpoint
    let reference: CredentialReference

    /// Returns the tests of all apps' credentials, without repetitions.
    ///
    /// If an app has one credential for both environments, and both environments have one server, the app gets only one test.
    ///
    /// - Parameters:
    ///   - credentials: the credentials of each app for the environments, by the app's bundle id.
    ///   - production: the APNs server for the production environment.
    ///   - sandbox: the APNs server for the sandbox environment.
    /// - Returns: the tests, ordered by bundle id.
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

    /// Loads the credential, and sends APNs one push with it to a random device token, which no phone has.
    ///
    /// - Parameter client: makes an APNs client with a credential, for a server.
    /// - Returns: the verdict on the credential, or the reason why it could not be tried.
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
