import CarillonCore
import HTTPTypes

extension ServiceContext {
    /// Returns the user that a sign-in token names; `nil` without a token.
    ///
    /// - Throws: ``Problem`` 422 if the token is refused.
    func signedInUser(_ token: String?, of app: AppReference) async throws -> String? {
        guard let token else { return nil }
        do {
            let token = try SignInToken(token)
            return try token.user(topic: app.topic, key: try await key(of: token, app), at: clock.now)
        } catch let refusal as SignInToken.Refusal {
            throw Problem(
                .unprocessableContent, "sign-in-token-refused", "The sign-in token is refused",
                "the sign-in token \(refusal.description)", pointer: "/sign_in_token")
        }
    }

    private func key(of token: SignInToken, _ app: AppReference) async throws -> SignInToken.Key {
        guard let id = token.keyID else {
            guard let secret = configuration.signInSecret else {
                throw SignInToken.Refusal(
                    description: "names no key in kid, and this service takes tokens of the app's sign-in keys only")
            }
            return .service(secret)
        }
        let keys = try await store.signInKeys(of: app.number)
        guard let key = keys.first(where: { $0.id == id && $0.revoked == nil }) else {
            throw SignInToken.Refusal(description: "names a kid that is none of the app's sign-in keys")
        }
        return .app(key)
    }
}
