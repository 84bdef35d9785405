import CarillonAPNs
import Foundation

extension Harness {
    static let credentialHarnesses = [signingKey, certificate, pkcs12]

    private static let signingKey = Harness(name: "signing-key") { bytes in
        let pem = String(decoding: bytes, as: UTF8.self)
        do throws(APNsCredentialError) {
            _ = try APNsSigningKey(pem: pem, keyID: "ABCDE12345", teamID: "TEAM123456")
        } catch {
            demand(!error.description.isEmpty, "an error says what to do")
        }
    }

    private static let certificate = Harness(name: "certificate") { bytes in
        let pem = String(decoding: bytes, as: UTF8.self)
        _ = try? APNsCertificate(certificatePEM: pem, privateKeyPEM: pem)
        _ = try? APNsCertificate(certificatePEM: pem, privateKeyPEM: pem, password: "secret")
    }

    private static let pkcs12 = Harness(name: "pkcs12") { bytes in
        _ = try? APNsCertificate(pkcs12: Data(bytes), password: "secret")
    }
}
