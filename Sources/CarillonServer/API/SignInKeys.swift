import CarillonCore
import Crypto
import Foundation

/// Makes and revokes the keys with which an app's backend signs sign-in tokens.
package struct SignInKeys: Sendable {
    /// An error that explains why a key cannot be added.
    package struct Refusal: Error, Sendable, CustomStringConvertible {
        package let description: String
    }

    private let keys: KeyCalls
    private let clock: any CarillonClock
    private let random: RandomSource
    private let actor: AuditActor

    /// - Parameters:
    ///   - keys: the store's functions that read and write keys.
    ///   - clock: the only source of time.
    ///   - random: the source of ids and secrets.
    ///   - actor: the person or program that the audit list names as the maker of the changes.
    package init(in keys: KeyCalls, clock: any CarillonClock, random: RandomSource, by actor: AuditActor) {
        self.keys = keys
        self.clock = clock
        self.random = random
        self.actor = actor
    }

    /// Makes and stores a sign-in key for HS256, with a secret of 32 random bytes.
    package func makeSecret(for app: AppReference) async throws -> SignInKey {
        try await add(.hs256, Data(random.bytes(ServiceLimits.signInSecretBytes)), app)
    }

    /// Adds the public key of an ES256 pair, whose private key stays with the backend.
    ///
    /// - Parameters:
    ///   - pem: the public key, as `openssl ec -pubout` writes it.
    ///   - app: the app whose backend has the private key.
    /// - Returns: the stored key.
    /// - Throws: ``Refusal`` if `pem` holds no public key on P-256, or if the app already has the greatest number of keys.
    package func add(publicKey pem: String, for app: AppReference) async throws -> SignInKey {
        guard let key = try? P256.Signing.PublicKey(pemRepresentation: pem) else {
            throw Refusal(
                description: "expected a public key on the curve P-256 in PEM, as 'openssl ec -pubout' writes it")
        }
        return try await add(.es256, key.x963Representation, app)
    }

    /// Revokes an app's key with an id.
    ///
    /// - Returns: whether the app has a key with that id.
    package func revoke(_ id: String, of app: AppReference) async throws -> Bool {
        try await keys.revokeSignInKey(id, of: app, by: actor, at: clock.now)
    }

    package func all(of app: AppReference) async throws -> [SignInKey] {
        try await keys.signInKeys(of: app.number)
    }

    private func add(_ algorithm: SignInKey.Algorithm, _ key: Data, _ app: AppReference) async throws -> SignInKey {
        let record = SignInKey(
            id: Data(random.bytes(ServiceLimits.apiKeyIDBytes)).hexadecimal, app: app.number, algorithm: algorithm,
            key: key, created: clock.now)
        guard try await keys.add(record, for: app, by: actor) else {
            let count = StoreLimits.liveSignInKeys
            throw Refusal(
                description: "\(app.topic) has \(count) sign-in keys already; revoke the one that is no longer used")
        }
        return record
    }
}
