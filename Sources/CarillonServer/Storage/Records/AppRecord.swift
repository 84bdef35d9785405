import CarillonCore
import Foundation

/// An app, to which users, installations, messages, inboxes and keys belong.
package struct AppRecord: Sendable, Hashable {
    package var reference: AppReference
    /// Whether an installation must send a sign-in token to register.
    package var requiresSignIn: Bool
    /// The credential for the app's pushes in each APNs environment.
    ///
    /// Without a credential for an environment, the app's pushes in that environment wait.
    package var credentials: [APNsEnvironment: CredentialReference]
    /// The greatest number of the app's pushes per second over all processes; `nil` for no limit.
    package var sendsPerSecond: Int?
    package var created: Timestamp

    /// The app's bundle id.
    package var topic: String { reference.topic }

    /// Returns a text for the audit list with the settings that differ from those of `former`.
    ///
    /// For a new app, `former` is `nil`, and the text has the settings that differ from the defaults.
    func changes(from former: AppRecord?) -> String {
        var changes: [String] = []
        if requiresSignIn != former?.requiresSignIn ?? false {
            changes.append(requiresSignIn ? "sign-in required" : "sign-in optional")
        }
        if sendsPerSecond != former?.sendsPerSecond {
            changes.append(sendsPerSecond.map { "\($0) pushes a second" } ?? "no limit of pushes a second")
        }
        for environment in APNsEnvironment.allCases where credentials[environment] != former?.credentials[environment] {
            changes.append("\(environment.rawValue): \(credentials[environment]?.summary ?? "no credential")")
        }
        return changes.joined(separator: "; ")
    }
}

/// An operator's settings of an app.
///
/// A setting that is `nil` leaves the stored value unchanged.
package struct AppSettings: Sendable, Hashable {
    /// The app's bundle id.
    package var topic: String
    /// Whether an installation must send a sign-in token to register.
    ///
    /// The default for a new app is false.
    package var requiresSignIn: Bool?
    /// The greatest number of the app's pushes per second; 0 for no limit.
    ///
    /// With `nil`, an app keeps its stored limit, and a new app has none.
    package var sendsPerSecond: Int?
    /// The credentials to store, by APNs environment.
    ///
    /// An environment that is missing here keeps its stored credential.
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

/// The location of an app's APNs credential: a file or an environment variable.
///
/// This type never contains the credential itself.
package enum CredentialReference: Sendable, Hashable {
    /// A signing key (`AuthKey_….p8`) with its key id and team id.
    case signingKey(path: String, keyID: String, teamID: String)
    /// A certificate with its private key, as `.p12` or PEM.
    case certificate(path: String)

    package var path: String {
        switch self {
        case .signingKey(let path, _, _), .certificate(let path): path
        }
    }

    /// A text for people: the kind of the credential, its ids and its path.
    package var summary: String {
        switch self {
        case .signingKey(let path, let keyID, let teamID): "key \(keyID) of team \(teamID) in \(path)"
        case .certificate(let path): "certificate in \(path)"
        }
    }

    /// The prefix by which a path names an environment variable of the process instead of a file, such as `env:CARILLON_KEY`.
    package static let variablePrefix = "env:"

    /// Whether the credential is in a regular file, so that it can be read repeatedly.
    ///
    /// A pipe, in contrast, delivers it only once.
    var isRegularFile: Bool { Self.attributes(ofFile: path) != nil }

    /// Returns a warning about a credential file that every user of this machine can read; `nil` for any other file.
    ///
    /// The service refuses such a file, because whoever reads the credential can send pushes to the team's apps. The warning
    /// says how to correct the file's permissions.
    package static func exposure(of path: String) -> String? {
        guard let mode = attributes(ofFile: path)?[.posixPermissions] as? Int, mode & 0o004 != 0 else { return nil }
        var system = statvfs()
        let isReadOnly = statvfs(path, &system) == 0 && system.f_flag & UInt(ST_RDONLY) != 0
        return exposure(of: path, isReadOnly: isReadOnly)
    }

    /// Returns a warning about a credential file that every user of this machine can read.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - isReadOnly: whether the file is in a read-only file system, such as a mounted secret, whose permissions `chmod` cannot
    ///     change.
    /// - Returns: the warning.
    static func exposure(of path: String, isReadOnly: Bool) -> String {
        let advice =
            isReadOnly
            ? "it is mounted read-only, so mount it with mode 0440 (Kubernetes: defaultMode of the secret's volume)"
            : "run 'chmod o-rwx \(path)'"
        return "every user of this machine can read \(path): \(advice)"
    }

    /// Returns the attributes of a regular file, following symbolic links; `nil` for anything else.
    private static func attributes(ofFile path: String) -> [FileAttributeKey: Any]? {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: target)
        return attributes?[.type] as? FileAttributeType == .typeRegular ? attributes : nil
    }

    /// Reads a credential.
    ///
    /// - Returns: the bytes of the file or environment variable; `nil` if the file cannot be read, or the variable is missing
    ///   or empty.
    package static func contents(at path: String) -> Data? {
        guard path.hasPrefix(variablePrefix) else { return FileManager.default.contents(atPath: path) }
        let value = ProcessInfo.processInfo.environment[String(path.dropFirst(variablePrefix.count))] ?? ""
        return value.isEmpty ? nil : Data(value.utf8)
    }
}

extension AppRecord {
    /// The entity tag of the settings that a backend reads and changes.
    var tag: String { EntityTag.of([topic, "\(requiresSignIn)", "\(sendsPerSecond ?? 0)"]) }
}
