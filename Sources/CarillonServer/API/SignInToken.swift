import CarillonCore
import Crypto
import Foundation

/// The short-lived token with which a customer's backend says "this installation belongs to this user": a compact JWT
/// ([RFC 7519](https://www.rfc-editor.org/rfc/rfc7519)), HS256, with the claims `sub` (the user), `exp` (seconds) and
/// `aud` (the app's topic).
public enum SignInToken {
    /// Why a token is refused.
    public struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
        public let description: String
    }

    /// No token is longer, bytes.
    static let byteLimit = 2048

    /// Makes a token, as a customer's backend does.
    public static func make(user: String, topic: String, expires: Timestamp, secret: Data) throws -> String {
        let header: JSONValue = ["alg": "HS256", "typ": "JWT"]
        let claims: JSONValue = [
            "sub": .string(user), "aud": .string(topic), "exp": .int(expires.secondsSince1970),
        ]
        let signed = "\(base64URL(try header.encoded())).\(base64URL(try claims.encoded()))"
        return "\(signed).\(base64URL(signature(of: signed, secret)))"
    }

    /// - Returns: the user that the token names.
    static func user(
        of token: String, topic: String, secret: Data, at now: Timestamp
    ) throws(Refusal) -> String {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard token.utf8.count <= byteLimit, parts.count == 3 else {
            throw Refusal(description: "is not a compact JWT of at most \(byteLimit) bytes")
        }
        guard let header = json(parts[0]), header["alg"]?.stringValue == "HS256" else {
            throw Refusal(description: "must be signed with HS256")
        }
        let expected = signature(of: "\(parts[0]).\(parts[1])", secret)
        guard let given = data(parts[2]), SecretHash.isEqual(given, expected) else {
            throw Refusal(description: "is not signed with the service's sign-in secret")
        }
        return try check(json(parts[1]), topic, now)
    }

    private static func check(_ claims: JSONValue?, _ topic: String, _ now: Timestamp) throws(Refusal) -> String {
        guard let claims, let user = claims["sub"]?.stringValue, !user.isEmpty,
            user.utf8.count <= ServiceLimits.userIDBytes
        else {
            throw Refusal(description: "must name a user of at most \(ServiceLimits.userIDBytes) bytes in sub")
        }
        guard let expires = claims["exp"]?.doubleValue, expires > Double(now.millisecondsSince1970) / 1000 else {
            throw Refusal(description: "has expired, or has no exp in seconds; ask the backend for a new one")
        }
        let audiences = claims["aud"]?.arrayValue?.compactMap(\.stringValue) ?? [claims["aud"]?.stringValue ?? ""]
        guard audiences.contains(topic) else {
            throw Refusal(description: "is for another app: aud must be \(topic)")
        }
        return user
    }

    private static func signature(of text: String, _ secret: Data) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: secret)))
    }

    private static func json(_ part: Substring) -> JSONValue? { data(part).flatMap { try? JSONValue(parsing: $0) } }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func data(_ part: Substring) -> Data? {
        let padding = String(repeating: "=", count: (4 - part.utf8.count % 4) % 4)
        return Data(base64Encoded: part.replacing("-", with: "+").replacing("_", with: "/") + padding)
    }
}
