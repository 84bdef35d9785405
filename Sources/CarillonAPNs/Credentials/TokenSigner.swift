import CarillonCore
import NIOCore

/// Makes the `authorization` header field with each provider token.
///
/// Each token is signed and encoded once, when it is first sent.
struct TokenSigner: Sendable {
    /// The signing keys, by the number of their credential.
    ///
    /// Connections that were opened with the previous key may still need that key.
    private var keys: [Int: APNsSigningKey]
    private var fields: [(token: IssuedProviderToken, authorization: ByteBuffer)] = []

    /// Makes a signer for a credential.
    ///
    /// - Parameter credential: the credential. A certificate signs no tokens.
    init(_ credential: APNsCredential) {
        keys = [:]
        replaceCredential(credential, generation: 0)
    }

    mutating func replaceCredential(_ credential: APNsCredential, generation: Int) {
        keys = keys.filter { $0.key >= generation - 1 }
        if case .signingKey(let key) = credential { keys[generation] = key }
    }

    /// Returns the `authorization` header for a token; `nil` if the token cannot be signed.
    mutating func authorization(for token: IssuedProviderToken) -> ByteBuffer? {
        if let known = fields.last(where: { $0.token.number == token.number }) { return known.authorization }
        guard let key = keys[token.credentialGeneration],
            let text = try? key.providerToken(issued: token.made.wall)
        else { return nil }
        if fields.count == ClientLimits.keptTokenFields { fields.removeFirst() }
        let field = HeaderEncoder.authorizationField("bearer " + text)
        fields.append((token, field))
        return field
    }
}
