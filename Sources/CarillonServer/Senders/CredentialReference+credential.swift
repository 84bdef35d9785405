import CarillonAPNs
import Foundation

extension CredentialReference {
    /// Parses the credential in a file.
    ///
    /// - Parameters:
    ///   - file: the contents of the file.
    ///   - certificatePassword: the password of a certificate; `nil` for none.
    /// - Returns: the credential.
    /// - Throws: an error of the APNs client if the file holds no key or certificate.
    package func credential(in file: Data, certificatePassword: String?) throws -> APNsCredential {
        switch self {
        case .signingKey(_, let keyID, let teamID):
            .signingKey(
                try APNsSigningKey(pem: String(pemFile: file), keyID: keyID, teamID: teamID))
        case .certificate: try .certificate(in: file, password: certificatePassword)
        }
    }
}

extension APNsCredential {
    /// Parses a certificate with its private key.
    ///
    /// - Parameters:
    ///   - data: a `.p12` or PEM file.
    ///   - password: the password of the file; `nil` for none.
    /// - Returns: the certificate.
    /// - Throws: an error of the APNs client if the file holds no certificate.
    package static func certificate(in data: Data, password: String?) throws -> APNsCredential {
        let text = String(pemFile: data)
        guard text.contains("-----BEGIN") else {
            return .certificate(try APNsCertificate(pkcs12: data, password: password ?? ""))
        }
        return .certificate(try APNsCertificate(certificatePEM: text, privateKeyPEM: text, password: password))
    }
}
