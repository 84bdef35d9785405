import CarillonAPNs
import CarillonCore
import Foundation

extension APNsCredential {
    /// The password of certificates, from the environment variable `CARILLON_CERTIFICATE_PASSWORD`; `nil` if the
    /// variable is not set.
    package static var passwordInEnvironment: String? {
        ProcessInfo.processInfo.environment["CARILLON_CERTIFICATE_PASSWORD"]
    }

    /// The end of the certificate's validity; `nil` for a signing key, which does not expire.
    package var certificateEnd: Timestamp? {
        if case .certificate(let certificate) = self { certificate.validUntil } else { nil }
    }

    /// Writes a warning to standard error if the credential is a certificate that expires soon.
    package func warn(at now: Timestamp) {
        guard case .certificate(let certificate) = self, let warning = certificate.warning(at: now) else { return }
        try? StandardOutput.write("warning: \(warning)", to: .standardError)
    }
}
