import CarillonCore
import Crypto
import Foundation

/// Reads provider tokens and checks their signature: the part of the check `credential` that depends on nothing but the
/// token and the known keys, so that its result can be kept.
///
/// The form is that of
/// [Establishing a token-based connection](https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns):
/// a JWT in compact form, header `alg` = ES256 and `kid`, claims `iss` and `iat` (a number).
struct TokenVerifier: Sendable {
    let keys: [String: KnownKey]

    func verify(_ token: String) throws(Rejection) -> VerifiedToken {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw Self.invalid("it has \(parts.count) parts instead of 3") }
        let header = try Self.dictionary(parts[0], "header")
        let claims = try Self.dictionary(parts[1], "claims")
        guard header["alg"]?.stringValue == "ES256" else { throw Self.invalid("alg in its header is not ES256") }
        guard let keyID = header["kid"]?.stringValue else { throw Self.invalid("kid is missing in its header") }
        guard let known = keys[keyID] else { throw Self.invalid("no key with the id \(keyID.prefix(20)) is known") }
        guard let teamID = claims["iss"]?.stringValue else { throw Self.invalid("iss is missing in its claims") }
        let issuedAt = try Self.issuedAt(claims["iat"])
        guard let signature = Base64URL.decode(parts[2]),
            let ecdsa = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
            known.publicKey.isValidSignature(ecdsa, for: Data("\(parts[0]).\(parts[1])".utf8))
        else { throw Self.invalid("its signature does not match the key \(keyID)") }
        guard teamID == known.key.teamID else {
            throw Self.invalid("iss is not the team of the key \(keyID), which is \(known.key.teamID)")
        }
        return VerifiedToken(keyID: keyID, teamID: teamID, issuedAt: issuedAt)
    }

    private static func dictionary(_ part: Substring, _ name: String) throws(Rejection) -> [String: JSONValue] {
        guard let data = Base64URL.decode(part), let members = (try? JSONValue(parsing: data))?.objectValue else {
            throw invalid("its \(name) is not a JSON dictionary in base64url without padding")
        }
        return members
    }

    private static func issuedAt(_ value: JSONValue?) throws(Rejection) -> Timestamp {
        switch value {
        case nil: throw invalid("iat is missing in its claims")
        case .int(let seconds): return Timestamp(secondsSince1970: seconds)
        case .double(let seconds) where abs(seconds) < 1e15:
            return Timestamp(millisecondsSince1970: Int64(seconds * 1000))
        default: throw invalid("iat in its claims is not a number of seconds")
        }
    }

    private static func invalid(_ problem: String) -> Rejection {
        Rejection(.invalidProviderToken, by: .credential, detail: "the provider token is not valid: \(problem)")
    }
}
