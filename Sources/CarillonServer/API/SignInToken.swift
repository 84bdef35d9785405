import CarillonCore
import Crypto
import Foundation

/// The short-lived token by which the backend confirms that an installation belongs to a user.
///
/// The token is a compact JWT ([RFC 7519](https://www.rfc-editor.org/rfc/rfc7519)), signed with HS256 or ES256. Its claims are
/// `sub` (the user), `aud` (the app's topic), `iat` and `exp` (times in seconds since 1970, at most ten minutes apart). The
/// header may name the app's key in `kid`; a token without `kid` is signed with the service's own secret.
package struct SignInToken: Sendable {
    /// An error that explains why a token is refused.
    package struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
        package let description: String
    }

    /// The key with which the service checks a token's signature.
    enum Key: Sendable {
        /// The shared sign-in secret of the service.
        case service(Data)
        case app(SignInKey)
    }

    /// The id of the key (`kid`) in the token's header; `nil` for the service's own secret.
    let keyID: String?
    private let algorithm: SignInKey.Algorithm
    private let signed: Data
    private let signature: Data
    private let claims: Data

    /// Splits a token into its parts, and decodes only the header, which is small and not nested.
    init(_ token: String) throws(Refusal) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard token.utf8.count <= ServiceLimits.signInTokenBytes, parts.count == 3,
            parts[0].utf8.count <= ServiceLimits.signInHeaderCharacters,
            let header = Self.data(parts[0]), let claims = Self.data(parts[1]), let signature = Self.data(parts[2])
        else {
            throw Refusal(description: "is not a compact JWT of at most \(ServiceLimits.signInTokenBytes) bytes")
        }
        guard let json = Self.object(header), let name = json["alg"]?.stringValue,
            let algorithm = SignInKey.Algorithm(rawValue: name)
        else { throw Refusal(description: "must be signed with HS256 or ES256, as alg in its header says") }
        // The service understands no extension (RFC 7515 §4.1.11).
        guard json["crit"] == nil else {
            throw Refusal(description: "has crit in its header, which names extensions that the service does not know")
        }
        if let keyID = json["kid"] {
            guard let text = keyID.stringValue else { throw Refusal(description: "has a kid that is no string") }
            self.keyID = text
        } else {
            keyID = nil
        }
        self.algorithm = algorithm
        self.claims = claims
        self.signature = signature
        signed = Data("\(parts[0]).\(parts[1])".utf8)
    }

    /// Checks the token's signature first, then its claims.
    ///
    /// - Parameters:
    ///   - topic: the bundle id of the app, which the token must name.
    ///   - key: the key that must have signed the token.
    ///   - now: the present time.
    /// - Returns: the user that the token names.
    /// - Throws: ``Refusal`` if the token is not valid.
    func user(topic: String, key: Key, at now: Timestamp) throws(Refusal) -> String {
        guard isSigned(with: key) else {
            let whose = keyID.map { "the app's key \($0.prefix(ServiceLimits.signInKeyIDBytes.upperBound))" }
            throw Refusal(description: "is not signed with \(whose ?? "the service's sign-in secret")")
        }
        return try check(Self.object(claims), topic, now)
    }

    private func isSigned(with key: Key) -> Bool {
        switch (key, algorithm) {
        case (.service(let secret), .hs256): return isAuthenticated(by: secret)
        case (.app(let key), .hs256) where key.algorithm == .hs256: return isAuthenticated(by: key.key)
        case (.app(let key), .es256) where key.algorithm == .es256:
            guard let publicKey = try? P256.Signing.PublicKey(x963Representation: key.key),
                let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
            else { return false }
            return publicKey.isValidSignature(signature, for: signed)
        // A key is valid for one algorithm only: a public key must never be used as a shared secret.
        default: return false
        }
    }

    private func isAuthenticated(by secret: Data) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: signed, using: SymmetricKey(data: secret))
    }

    private func check(_ claims: JSONValue?, _ topic: String, _ now: Timestamp) throws(Refusal) -> String {
        guard let claims, let user = claims["sub"]?.stringValue, UserID.isValid(user) else {
            throw Refusal(description: "must name a user in sub: \(UserID.rule)")
        }
        let seconds = Double(now.millisecondsSince1970) / 1000
        guard let expires = claims["exp"]?.doubleValue, expires > seconds else {
            throw Refusal(description: "has expired, or has no exp in seconds; ask the backend for a new one")
        }
        let skew = Double(ServiceLimits.signInClockSkew.components.seconds)
        guard let issued = claims["iat"]?.doubleValue, issued <= seconds + skew else {
            throw Refusal(description: "has no iat in seconds, or one in the future; check the backend's clock")
        }
        let life = Double(ServiceLimits.signInTokenLife.components.seconds)
        guard expires - issued <= life else {
            throw Refusal(description: "is valid for longer than \(Int(life)) s: exp must be closer to iat")
        }
        let audiences = claims["aud"]?.arrayValue?.compactMap(\.stringValue) ?? [claims["aud"]?.stringValue ?? ""]
        guard audiences.contains(topic) else {
            throw Refusal(description: "is for another app: aud must be \(topic)")
        }
        return user
    }

    private static func object(_ data: Data) -> JSONValue? {
        guard (try? JSONText.checkDepth(data, atMost: 2)) != nil, (try? JSONText.checkStrings(data)) != nil else {
            return nil
        }
        return try? JSONValue(parsing: data)
    }

    private static func data(_ part: Substring) -> Data? {
        let padding = String(repeating: "=", count: (4 - part.utf8.count % 4) % 4)
        return Data(base64Encoded: part.replacing("-", with: "+").replacing("_", with: "/") + padding)
    }
}

extension SignInToken {
    /// Makes a token signed with HS256, as a backend makes it.
    ///
    /// - Parameters:
    ///   - user: the claim `sub`.
    ///   - topic: the claim `aud`.
    ///   - issued: the claim `iat`.
    ///   - expires: the claim `exp`, at most ten minutes later.
    ///   - secret: the bytes of the secret. The file `sign-in.secret` holds them in hexadecimal.
    ///   - keyID: the header's `kid`, if `secret` is one of the app's keys.
    /// - Returns: the token.
    /// - Throws: an error only if JSON cannot express the times.
    package static func make(
        user: String, topic: String, issued: Timestamp, expires: Timestamp, secret: Data, keyID: String? = nil
    ) throws -> String {
        var header: [String: JSONValue] = ["alg": "HS256", "typ": "JWT"]
        header["kid"] = keyID.map(JSONValue.string)
        let claims: JSONValue = [
            "sub": .string(user), "aud": .string(topic), "iat": .int(issued.secondsSince1970),
            "exp": .int(expires.secondsSince1970),
        ]
        let signed = "\(base64URL(try JSONValue.object(header).encoded())).\(base64URL(try claims.encoded()))"
        let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: SymmetricKey(data: secret))
        return "\(signed).\(base64URL(Data(code)))"
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
