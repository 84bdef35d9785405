import CarillonCore
import Crypto
import Foundation
import Testing

@testable import CarillonAPNs

@Suite("The signing key")
struct SigningKeyTests {
    @Test("12: the token is what Apple asks for, read by code that shares nothing with the client")
    func token() throws {
        let key = P256.Signing.PrivateKey()
        let signer = try APNsSigningKey(pem: key.pemRepresentation, keyID: "ABCDE12345", teamID: "TEAM123456")
        let token = try signer.providerToken(issued: Timestamp(millisecondsSince1970: 1_800_000_000_999))
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        try #require(parts.count == 3)
        #expect(!token.contains("=") && !token.contains("+") && !token.contains("/"))
        let header = try JSONDecoder().decode([String: String].self, from: try decoded(parts[0]))
        #expect(header == ["alg": "ES256", "kid": "ABCDE12345"])
        struct Claims: Decodable {
            let iss: String
            let iat: Int
        }
        let claims = try JSONDecoder().decode(Claims.self, from: try decoded(parts[1]))
        #expect(claims.iss == "TEAM123456" && claims.iat == 1_800_000_000)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: try decoded(parts[2]))
        #expect(key.publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
    }

    @Test(
        "a wrong key file is told apart",
        arguments: [
            ("", APNsCredentialError.Code.empty, "empty"),
            ("-----BEGIN CERTIFICATE-----", .isCertificate, "certificate"),
            ("-----BEGIN PUBLIC KEY-----", .isPublicKey, "public"),
            ("-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----", .wrongCurve, "RSA"),
            (
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----", .encrypted,
                "encrypted"
            ),
            (
                "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n-----END EC PRIVATE KEY-----",
                .encrypted, "encrypted"
            ),
            (
                "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----", .notAPrivateKey,
                "EC PARAMETERS"
            ),
            ("hello", .notAPrivateKey, "no line"),
            ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", .damaged, "damaged"),
            ("-----BEGIN PRIVATE KEY-----\nM,G!\n-----END PRIVATE KEY-----", .damaged, "not base64"),
            ("-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqG", .damaged, "cut off"),
            (P384.Signing.PrivateKey().pemRepresentation, .wrongCurve, "P-384"),
            (P521.Signing.PrivateKey().pemRepresentation, .wrongCurve, "P-521"),
            (
                "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n"
                    + "-----END PRIVATE KEY-----", .wrongCurve, "Ed25519"
            ),
            (
                Data(P256.Signing.PrivateKey().pemRepresentation.utf8).base64EncodedString(), .notAPrivateKey,
                "once more"
            ),
        ])
    func wrongFiles(pem: String, code: APNsCredentialError.Code, word: String) {
        let error = #expect(throws: APNsCredentialError.self) {
            try APNsSigningKey(pem: pem, keyID: "ABCDE12345", teamID: "TEAM123456")
        }
        #expect(error?.code == code)
        #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
    }

    @Test("a key is read as openssl, Node.js and Python read it, and as it comes out of an environment variable")
    func spellings() throws {
        let key = P256.Signing.PrivateKey()
        let pem = key.pemRepresentation
        let base64 = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
        let oneLine = "-----BEGIN PRIVATE KEY-----\n\(base64)\n-----END PRIVATE KEY-----\n"
        let spellings = [
            pem, oneLine, oneLine.replacing("\n", with: ""), oneLine.replacing("\n", with: " "),
            pem.replacing("\n", with: "\\n"), pem.replacing("\n", with: "\\r\\n"), pem.replacing("\n", with: "\r\n"),
            pem.replacing("\n", with: "\r"), "\u{FEFF}" + pem, "Bag Attributes\n  name: push\n" + pem + "\nmore",
            "  " + pem.replacing("\n", with: "\n  "),
            "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n" + pem,
            "-----BEGIN PRIVATE KEY-----\n"
                + stride(from: 0, to: base64.count, by: 10).map { base64.dropFirst($0).prefix(10) }.joined(
                    separator: "\n")
                + "\n-----END PRIVATE KEY-----",
        ]
        for text in spellings {
            let read = try APNsSigningKey(pem: text, keyID: "ABCDE12345", teamID: "TEAM123456")
            let parts = try read.providerToken(issued: Timestamp(millisecondsSince1970: 0)).split(separator: ".")
            let signature = try P256.Signing.ECDSASignature(rawRepresentation: try decoded(String(parts[2])))
            #expect(key.publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)), "\(text)")
        }
    }

    @Test("a key in SEC 1 form, as 'openssl ecparam -genkey' writes it, is read")
    func sec1() throws {
        let pem = """
            -----BEGIN EC PRIVATE KEY-----
            MHcCAQEEINq6s/t2W5Fb8/ArlYNySpclPwfPSsJgaeeJXlb3b14ioAoGCCqGSM49
            AwEHoUQDQgAEn+x6w4Q3/XCR1fYffZvTgcvvBXAqwACEplVK+rqspdFH3zqxhkox
            7eXHY3QbWpCF/Vghr0p2XBEut9puwVV4Fw==
            -----END EC PRIVATE KEY-----
            """
        #expect(throws: Never.self) { try APNsSigningKey(pem: pem, keyID: "ABCDE12345", teamID: "TEAM123456") }
    }

    @Test(
        "ids that are not ten letters and digits are refused",
        arguments: ["", "SHORT", "ABCDE1234-", "ABCDE123456", "ÄBCDE12345"])
    func wrongIDs(id: String) {
        let pem = P256.Signing.PrivateKey().pemRepresentation
        let wrongKeyID = #expect(throws: APNsCredentialError.self) {
            try APNsSigningKey(pem: pem, keyID: id, teamID: "TEAM123456")
        }
        #expect(wrongKeyID?.code == .invalidKeyID)
        let wrongTeamID = #expect(throws: APNsCredentialError.self) {
            try APNsSigningKey(pem: pem, keyID: "ABCDE12345", teamID: id)
        }
        #expect(wrongTeamID?.code == .invalidTeamID)
    }

    @Test("a key never prints itself")
    func silent() throws {
        let private_ = P256.Signing.PrivateKey()
        let key = try APNsSigningKey(pem: private_.pemRepresentation, keyID: "ABCDE12345", teamID: "TEAM123456")
        let secret = private_.rawRepresentation.hexadecimal
        var dumped = ""
        dump(APNsCredential.signingKey(key), to: &dumped)
        #expect("\(key)" == "signing key ABCDE12345 of team TEAM123456")
        #expect(!dumped.contains(secret) && !String(reflecting: key).contains("PRIVATE"))
    }

    private func decoded(_ text: String) throws -> Data {
        let padded = text.replacing("-", with: "+").replacing("_", with: "/")
        return try #require(Data(base64Encoded: padded + String(repeating: "=", count: (4 - padded.count % 4) % 4)))
    }
}
