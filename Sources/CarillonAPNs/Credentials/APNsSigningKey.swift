import CarillonCore
import Crypto
import Foundation

/// The private key for token authentication: Apple's file `AuthKey_XXXXXXXXXX.p8`.
///
/// Apple's developer site offers the file for download only once. See [Establishing a token-based
/// connection](https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns)
public struct APNsSigningKey: Sendable {
    /// Apple's id of the key: ten letters and digits, as in the file's name.
    public let keyID: String
    /// Apple's id of the developer team: ten letters and digits.
    public let teamID: String

    private let privateKey: P256.Signing.PrivateKey

    /// Parses the key and checks its two ids.
    ///
    /// - Parameters:
    ///   - pem: the text of the `.p8` file. Text around the key, base64 in one line, and the two characters `\n` instead of
    ///     line ends are accepted, because environment variables often contain them.
    ///   - keyID: ten letters and digits.
    ///   - teamID: ten letters and digits.
    /// - Throws: ``APNsCredentialError``, which names the faulty argument and its mistake.
    public init(pem: String, keyID: String, teamID: String) throws(APNsCredentialError) {
        try Self.check(
            keyID, .invalidKeyID, isIDCalled: "key id", exampleOf: "the name of the file, AuthKey_<key id>.p8")
        try Self.check(
            teamID, .invalidTeamID, isIDCalled: "team id", exampleOf: "the membership page of Apple's developer site")
        privateKey = try APNsCredentialError.signingKey(in: pem)
        self.keyID = keyID
        self.teamID = teamID
    }

    /// Signs a provider token, for tools such as curl that send to APNs themselves.
    ///
    /// ``APNsClient`` makes its own tokens. Anybody who has a token can send pushes in your name for an hour. The token has
    /// Apple's form: header `alg`, `kid`; claims `iss`, `iat` in whole seconds; ES256 ([RFC
    /// 7515](https://www.rfc-editor.org/rfc/rfc7515) compact form, [RFC 7518
    /// §3.4](https://www.rfc-editor.org/rfc/rfc7518#section-3.4)).
    ///
    /// - Parameter issued: the token's `iat`. APNs rejects a token that is older than an hour.
    /// - Returns: the token. Send it in the header `authorization`, after `bearer`.
    /// - Throws: any error of the cryptographic library.
    public func providerToken(issued: Timestamp) throws -> String {
        let header = #"{"alg":"ES256","kid":"\#(keyID)"}"#
        let claims = #"{"iss":"\#(teamID)","iat":\#(issued.secondsSince1970)}"#
        let signed = "\(Data(header.utf8).base64URL).\(Data(claims.utf8).base64URL)"
        let signature = try privateKey.signature(for: Data(signed.utf8))
        return "\(signed).\(signature.rawRepresentation.base64URL)"
    }

    private static func check(
        _ id: String, _ code: APNsCredentialError.Code, isIDCalled name: String, exampleOf place: String
    ) throws(APNsCredentialError) {
        let isTenLettersAndDigits = id.utf8.count == 10 && id.utf8.allSatisfy(\.isASCIILetterOrDigit)
        guard !isTenLettersAndDigits else { return }
        throw APNsCredentialError(
            code, "The \(name) is not ten letters and digits; it has \(id.count) characters.",
            advice: "Take it from \(place).")
    }
}

extension APNsSigningKey: CustomStringConvertible, CustomDebugStringConvertible {
    /// The key's id and team, without the key itself.
    public var description: String { "signing key \(keyID) of team \(teamID)" }
    /// The key's id and team, without the key itself, because a debugger's output may end up in a log.
    public var debugDescription: String { description }
}

extension UInt8 {
    fileprivate var isASCIILetterOrDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
    }
}
