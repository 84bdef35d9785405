import CarillonCore
import Crypto
import Foundation

/// Parses provider tokens and checks their signatures.
///
/// This part of the check ``RequestCheck/credential`` depends only on the token and the known keys, so its result can be cached.
///
/// [Establishing a token-based
/// connection](https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns)
/// describes the form: a JWT in compact form, with the header `alg` = ES256 and `kid`, and the claims `iss` and `iat` (a number).
///
/// The verifier accepts two deviations from this form, as Apple's servers do. A signature may be in DER, as openssl makes it in
/// Apple's own recipe for the command line. Unless ``isStrict`` is `true`, `iat` may be a text of digits.
struct TokenVerifier: Sendable {
    let keys: [String: KnownKey]
    var isStrict = false

    func verify(_ token: String) throws(Rejection) -> VerifiedToken {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw Self.invalid("it has \(parts.count) parts instead of 3") }
        let header = try Self.dictionary(parts[0], "header")
        let claims = try Self.dictionary(parts[1], "claims")
        guard header["alg"]?.stringValue == "ES256" else { throw Self.invalid("alg in its header is not ES256") }
        guard let keyID = header["kid"]?.stringValue else { throw Self.invalid("kid is missing in its header") }
        guard let known = keys[keyID] else { throw Self.invalid("no key with the id \(keyID.prefix(20)) is known") }
        guard let teamID = claims["iss"]?.stringValue else { throw Self.invalid("iss is missing in its claims") }
        let (issuedAt, note) = try issuedAt(claims["iat"])
        guard let signature = Base64URL.decode(parts[2]),
            Self.readings(of: signature).contains(where: {
                known.publicKey.isValidSignature($0, for: Data("\(parts[0]).\(parts[1])".utf8))
            })
        else { throw Self.invalid("its signature does not match the key \(keyID)") }
        guard teamID == known.key.teamID else {
            throw Self.invalid("iss is not the team of the key \(keyID), which is \(known.key.teamID)")
        }
        return VerifiedToken(keyID: keyID, teamID: teamID, issuedAt: issuedAt, note: note)
    }

    /// Returns the signature parsed in each of the two possible encodings: R and S side by side ([RFC 7518
    /// §3.4](https://www.rfc-editor.org/rfc/rfc7518#section-3.4)), and DER.
    private static func readings(of signature: Data) -> [P256.Signing.ECDSASignature] {
        [
            try? P256.Signing.ECDSASignature(rawRepresentation: signature),
            try? P256.Signing.ECDSASignature(derRepresentation: signature),
        ].compactMap(\.self)
    }

    private static func dictionary(_ part: Substring, _ name: String) throws(Rejection) -> [String: JSONValue] {
        guard let data = Base64URL.decode(part), let members = (try? JSONValue(parsing: data))?.objectValue else {
            throw invalid("its \(name) is not a JSON dictionary in base64url without padding")
        }
        return members
    }

    private func issuedAt(_ value: JSONValue?) throws(Rejection) -> (Timestamp, note: String?) {
        switch value {
        case nil: throw Self.invalid("iat is missing in its claims")
        case .int(let seconds): return (Timestamp(secondsSince1970: seconds), nil)
        case .double, .number:
            guard let seconds = value?.doubleValue, abs(seconds) < 1e15 else {
                throw Self.invalid("iat in its claims is not a number of seconds")
            }
            return (Timestamp(millisecondsSince1970: Int64(seconds * 1000)), nil)
        case .string(let text) where !isStrict && text.utf8.allSatisfy(Self.isDigit):
            guard let seconds = Int64(text) else { fallthrough }
            return (
                Timestamp(secondsSince1970: seconds),
                "accepted: iat is the text \"\(text)\"; RFC 7519 would have a number"
            )
        default: throw Self.invalid("iat in its claims is not a number of seconds")
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func invalid(_ problem: String) -> Rejection {
        Rejection(.invalidProviderToken, by: .credential, detail: "the provider token is not valid: \(problem)")
    }
}
