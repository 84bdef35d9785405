import CarillonCore
import Foundation

/// An app, which owns all else: users, installations, messages, inboxes, keys.
package struct AppRecord: Sendable, Hashable {
    package var reference: AppReference
    /// Whether an installation must come with a sign-in token to be registered.
    package var requiresSignIn: Bool
    /// The credential that signs the app's pushes, for each environment of APNs; without one, its messages wait.
    package var credentials: [APNsEnvironment: CredentialReference]
    /// The greatest number of pushes in a second, over all processes; `nil` for no limit.
    package var sendsPerSecond: Int?
    package var created: Timestamp

    /// The app's bundle id.
    package var topic: String { reference.topic }
}

/// An operator's settings of an app; a setting that is left out stays as it was.
package struct AppSettings: Sendable, Hashable {
    /// The app's bundle id.
    package var topic: String
    /// Whether installations must come with a sign-in token.
    ///
    /// The default for a new app is that they need none.
    package var requiresSignIn: Bool?
    /// The greatest number of pushes in a second; 0 for no limit.
    ///
    /// The default for a new app is no limit.
    package var sendsPerSecond: Int?
    /// The credentials that replace those of their environments.
    package var credentials: [APNsEnvironment: CredentialReference]

    package init(
        topic: String, requiresSignIn: Bool? = nil, sendsPerSecond: Int? = nil,
        credentials: [APNsEnvironment: CredentialReference] = [:]
    ) {
        self.topic = topic
        self.requiresSignIn = requiresSignIn
        self.sendsPerSecond = sendsPerSecond
        self.credentials = credentials
    }
}

/// The place of an app's credential for APNs, a file or an environment variable; never the credential itself.
package enum CredentialReference: Sendable, Hashable {
    /// A signing key (`AuthKey_….p8`) and its two ids.
    case signingKey(path: String, keyID: String, teamID: String)
    /// A certificate with its private key, as `.p12` or PEM.
    case certificate(path: String)

    package var path: String {
        switch self {
        case .signingKey(let path, _, _), .certificate(let path): path
        }
    }

    /// The prefix of a path that names an environment variable of the process, such as `env:CARILLON_KEY`.
    package static let variablePrefix = "env:"

    /// Whether the credential can be read again and again, because it is in a regular file; a pipe gives it once.
    var isRegularFile: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Reads the credential.
    ///
    /// - Returns: the bytes of the file or the environment variable; `nil` where it is missing, empty, or cannot be read.
    package static func contents(at path: String) -> Data? {
        guard path.hasPrefix(variablePrefix) else { return FileManager.default.contents(atPath: path) }
        let value = ProcessInfo.processInfo.environment[String(path.dropFirst(variablePrefix.count))] ?? ""
        return value.isEmpty ? nil : Data(value.utf8)
    }
}
