import CarillonAPNs
import CarillonCore
import CarillonServer
import Foundation

extension CredentialReference {
    /// The credential in the file.
    ///
    /// - Parameter file: what the file holds.
    /// - Returns: what signs pushes.
    /// - Throws: the APNs client's error for what is no key or certificate.
    func credential(in file: Data) throws -> APNsCredential {
        switch self {
        case .signingKey(_, let keyID, let teamID):
            .signingKey(
                try APNsSigningKey(pem: String(decoding: file, as: UTF8.self), keyID: keyID, teamID: teamID))
        case .certificate: try .certificate(in: file, password: nil)
        }
    }
}

extension APNsCredential {
    /// When its certificate ends; `nil` for a signing key, which has no end.
    var certificateEnd: Timestamp? {
        if case .certificate(let certificate) = self { certificate.validUntil } else { nil }
    }

    /// Writes a line to standard error when it is a certificate whose end is near.
    func warn(at now: Timestamp) {
        guard case .certificate(let certificate) = self, let warning = certificate.warning(at: now) else { return }
        try? FileHandle.standardError.write(contentsOf: Data("warning: \(warning)\n".utf8))
    }

    /// Reads a certificate with its private key.
    ///
    /// - Parameters:
    ///   - data: a `.p12` or PEM file.
    ///   - password: the file's; `nil` for the one in the environment variable CARILLON_CERTIFICATE_PASSWORD.
    /// - Returns: the certificate.
    /// - Throws: the APNs client's error for what is none.
    static func certificate(in data: Data, password: String?) throws -> APNsCredential {
        let password = password ?? ProcessInfo.processInfo.environment["CARILLON_CERTIFICATE_PASSWORD"]
        guard let text = String(data: data, encoding: .utf8), text.contains("-----BEGIN") else {
            return .certificate(try APNsCertificate(pkcs12: data, password: password ?? ""))
        }
        return .certificate(try APNsCertificate(certificatePEM: text, privateKeyPEM: text, password: password))
    }
}
