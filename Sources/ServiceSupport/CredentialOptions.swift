import ArgumentParser
import CarillonAPNs
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation

/// The options for a signing key, for all commands that send to APNs.
package struct KeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The signing key (AuthKey_….p8) from Apple's developer account; env:NAME for an environment variable that has its text. (default: env:CARILLON_KEY, where that is set)",
            valueName: "file"))
    package var key: String?

    @Option(
        help: ArgumentHelp("The key's id, 10 characters. (default: from the name of the key file)", valueName: "id"))
    package var keyID: String?

    @Option(help: ArgumentHelp("The team's id, 10 characters.", valueName: "id"))
    package var teamID: String?

    package init() {}

    /// Loads the signing key.
    ///
    /// - Throws: an error whose description names a missing option or an invalid file.
    package func signingKey() throws -> APNsSigningKey {
        let (path, keyID, teamID) = try parts()
        guard path.hasPrefix(CredentialReference.variablePrefix) else {
            return try APNsSigningKey(
                pem: try CommandFile.pem(at: path, option: "--key"), keyID: keyID, teamID: teamID)
        }
        guard let text = CredentialReference.contents(at: path) else {
            throw ValidationError("--key \(path): there is no such environment variable, or it is empty")
        }
        return try APNsSigningKey(pem: String(decoding: text, as: UTF8.self), keyID: keyID, teamID: teamID)
    }

    /// The source of the signing key: the path of a file, or `env:NAME` for an environment variable.
    ///
    /// Without the option `--key`, the source is `env:CARILLON_KEY`, or `nil` if that environment variable is missing or empty.
    package var place: String? {
        if let key { return key }
        let variable = "\(CredentialReference.variablePrefix)CARILLON_KEY"
        return CredentialReference.contents(at: variable) == nil ? nil : variable
    }

    /// Returns the key's source (the path of its file, or `env:NAME`), the key id and the team id.
    ///
    /// - Throws: an error whose description names a missing option.
    package func parts() throws -> (path: String, keyID: String, teamID: String) {
        guard let key = place else {
            throw ValidationError("--key is missing: the path of the AuthKey_….p8 file, or its text in CARILLON_KEY")
        }
        let isVariable = key.hasPrefix(CredentialReference.variablePrefix)
        if !isVariable { try CommandFile.checkExists(key, option: "--key") }
        guard let keyID = keyID ?? Self.keyID(inName: key) else {
            throw ValidationError("--key-id is missing, and no file's name contains it (AuthKey_<KEYID>.p8)")
        }
        guard let teamID else { throw ValidationError("--team-id is missing: the 10 characters of your team's id") }
        return (isVariable ? key : URL(fileURLWithPath: key).path, keyID, teamID)
    }

    /// Returns the key id in a file name of Apple's form, such as `AuthKey_ABC123DEFG.p8`; `nil` for other names.
    private static func keyID(inName path: String) -> String? {
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        guard name.hasPrefix("AuthKey_"), name.count > 8 else { return nil }
        return String(name.dropFirst(8))
    }
}

/// The options for a credential: a signing key, or a certificate for a single app.
package struct CredentialOptions: ParsableArguments {
    @OptionGroup package var key: KeyOptions

    @Option(
        help: ArgumentHelp("Instead of a key: a certificate with its private key (.p12 or PEM).", valueName: "file"))
    package var certificate: String?

    @Option(
        help: ArgumentHelp(
            "The certificate's password; safer in the environment variable CARILLON_CERTIFICATE_PASSWORD.",
            valueName: "text"))
    package var certificatePassword: String?

    package init() {}

    /// Loads the credential.
    ///
    /// - Throws: an error whose description names an option that is missing, contradicts another, or has an invalid
    ///   file.
    package func credential() throws -> APNsCredential {
        guard let certificate else { return .signingKey(try key.signingKey()) }
        guard key.key == nil else { throw ValidationError("use either --key or --certificate, not both") }
        let data = try CommandFile.data(at: certificate, option: "--certificate")
        return try .certificate(in: data, password: certificatePassword ?? APNsCredential.passwordInEnvironment)
    }
}

extension CommandFile {
    /// Checks that a credential file can be read repeatedly, and that it is not readable for every user of the machine.
    ///
    /// The service reads the file again while it runs. So the function refuses a pipe, and a path such as `/dev/stdin` that
    /// stands for an open file of a process. It accepts every `env:NAME`, which stands for an environment variable.
    ///
    /// - Throws: an error whose description gives the remedy.
    package static func checkIsForService(_ path: String, option: String) throws {
        guard !path.hasPrefix(CredentialReference.variablePrefix) else { return }
        if let exposure = CredentialReference.exposure(of: path) { throw ValidationError("\(option): \(exposure)") }
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let type = (try? FileManager.default.attributesOfItem(atPath: target))?[.type] as? FileAttributeType
        // If there is no such file, or if it is a folder, the caller's attempt to read it reports that.
        let isFile = [nil, .typeRegular, .typeDirectory].contains(type)
        let isOfProcess = path.contains(#/^/dev/(fd/|stdin)|^/proc/[^/]+/fd//#)
        guard !isFile || isOfProcess else { return }
        let otherwise =
            option == "--key" ? ", or the key's text in an environment variable: --key env:CARILLON_KEY" : ""
        throw ValidationError(
            "\(option) \(path): this can be read only now, and the service reads it again; give the path of a file\(otherwise)"
        )
    }
}

extension APNsEndpoint {
    /// Parses the address of an endpoint from an option.
    ///
    /// - Parameters:
    ///   - url: `https://host` or `https://host:port`.
    ///   - option: the option's name, for the error.
    /// - Throws: an error whose description names the option and the expected form of its value.
    package init(url: String, option: String) throws {
        guard let parts = URLComponents(string: url), parts.scheme == "https", let host = parts.host, !host.isEmpty,
            parts.path.isEmpty || parts.path == "/"
        else {
            throw ValidationError("\(option) \(url): expected https://HOST or https://HOST:PORT")
        }
        // On Linux, the brackets of an IPv6 address are part of the host.
        let address = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        self.init(host: address, port: parts.port ?? 443)
    }
}
