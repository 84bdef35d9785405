import Crypto
import Foundation

extension SimulatorCredentials {
    /// The credentials of every simulator with the door ``SimulatorDoor/wellKnown``, equal on all machines and in all versions.
    ///
    /// They protect nothing: both private keys can be computed by anybody. Trust the authority in tests only.
    public static let wellKnown = SimulatorCredentials(
        signingKeyPEM: key(from: "carillon apns simulator well-known signing key"),
        caCertificatePEM: """
            -----BEGIN CERTIFICATE-----
            MIIByjCCAW+gAwIBAgIQfJTT1lvuCFXhshmEGo7sxjAKBggqhkjOPQQDAjBDMS4w
            LAYDVQQDDCVDYXJpbGxvbiBBUE5zIFNpbXVsYXRvciB3ZWxsLWtub3duIENBMREw
            DwYDVQQKDAhDYXJpbGxvbjAeFw0yMDAxMDEwMDAwMDBaFw00OTEyMzEyMzU5NTla
            MEMxLjAsBgNVBAMMJUNhcmlsbG9uIEFQTnMgU2ltdWxhdG9yIHdlbGwta25vd24g
            Q0ExETAPBgNVBAoMCENhcmlsbG9uMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
            Fi6ggZp7gCHqeSLinaIIf/WZ1pYFLpGngdRerpI1CSk/BVysGb7Oh2qN4k+Lrya7
            +hF237b3pUlBX+tExkgwIKNFMEMwEgYDVR0TAQH/BAgwBgEB/wIBADAOBgNVHQ8B
            Af8EBAMCAQYwHQYDVR0OBBYEFKHzs16hQQsh4PhNIPw7Wg58/RSbMAoGCCqGSM49
            BAMCA0kAMEYCIQDalAua+bGafuJetG47KtlI0nHvT8aW7/lqbsqwoNapLwIhAKXF
            hVdKw3+EevmZNwfkJg5MYIufRryX5qAK9pPU++7D
            -----END CERTIFICATE-----

            """,
        caPrivateKeyPEM: key(from: "carillon apns simulator well-known authority"))

    /// Returns the P-256 private key, in PEM, whose number is the SHA-256 digest of a text.
    private static func key(from text: String) -> String {
        // Nearly every digest is a key's number, and those of the two texts above are.
        (try? P256.Signing.PrivateKey(rawRepresentation: SHA256.hash(data: Data(text.utf8))))?.pemRepresentation ?? ""
    }
}
