import CarillonCore
import Crypto
import Foundation
import Testing

@testable import CarillonServer

@Suite("A sign-in token")
struct SignInTokenTests {
    private static let secret = RunningService.signInSecret

    private func verify(
        _ token: String, key: SignInToken.Key = .service(secret), at now: Timestamp = noon
    ) throws -> String { try SignInToken(token).user(topic: topic, key: key, at: now) }

    /// A token with whatever header and claims.
    private func token(
        header: String = #"{"alg":"HS256"}"#, claims: String, secret: Data = secret
    ) -> String {
        let signed = "\(base64URL(Data(header.utf8))).\(base64URL(Data(claims.utf8)))"
        let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: SymmetricKey(data: secret))
        return "\(signed).\(base64URL(Data(code)))"
    }

    private func claims(
        sub: String = #""u1""#, aud: String = #""com.example.chime""#, iat: String = "1800000000",
        exp: String = "1800000600"
    ) -> String { #"{"sub":\#(sub),"aud":\#(aud),"iat":\#(iat),"exp":\#(exp)}"# }

    private func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    @Test("names its user for ten minutes at most")
    func life() throws {
        #expect(try verify(token(claims: claims())) == "u1")
        #expect(try verify(token(claims: claims()), at: noon + .seconds(599)) == "u1")
        #expect(throws: SignInToken.Refusal.self) { try verify(token(claims: claims()), at: noon + .seconds(600)) }
        let decade = token(claims: claims(exp: "2115360000"))
        let refusal = #expect(throws: SignInToken.Refusal.self) { try verify(decade) }
        #expect(refusal?.description.contains("longer than 600 s") == true)
    }

    static let bad: [(claims: String, word: String)] = [
        (#"{"sub":"u1","aud":"com.example.chime","exp":1800000600}"#, "iat"),
        (#"{"sub":"u1","aud":"com.example.chime","iat":1800000000}"#, "exp"),
        (#"{"sub":"u1","aud":"com.example.chime","iat":1800000061,"exp":1800000300}"#, "future"),
        (#"{"sub":"u1","aud":"com.example.ferry","iat":1800000000,"exp":1800000600}"#, "another app"),
        (#"{"aud":"com.example.chime","iat":1800000000,"exp":1800000600}"#, "sub"),
        (#"{"sub":"","aud":"com.example.chime","iat":1800000000,"exp":1800000600}"#, "sub"),
        (#"{"sub":"a\u0000b","aud":"com.example.chime","iat":1800000000,"exp":1800000600}"#, "sub"),
        (#"{"sub":"a\ud800b","aud":"com.example.chime","iat":1800000000,"exp":1800000600}"#, "sub"),
        (#"{"sub":["u1"],"aud":"com.example.chime","iat":1800000000,"exp":1800000600}"#, "sub"),
        (#"{"sub":"u1","aud":"com.example.chime","iat":"now","exp":1800000600}"#, "iat"),
        (#"["sub"]"#, "sub"), ("", "sub"), (#"{"sub":{"a":{"b":{}}}}"#, "sub"),
    ]

    @Test("is refused with a word about what is wrong", arguments: bad.indices)
    func refused(_ index: Int) {
        let refusal = #expect(throws: SignInToken.Refusal.self) { try verify(token(claims: Self.bad[index].claims)) }
        #expect(refusal?.description.contains(Self.bad[index].word) == true, "\(refusal?.description ?? "")")
    }

    @Test("has its signature checked before a byte of its claims is read")
    func signatureFirst() {
        let deep = String(repeating: "[", count: 700) + String(repeating: "]", count: 700)
        let unsigned = token(claims: deep, secret: Data(count: 32))
        let refusal = #expect(throws: SignInToken.Refusal.self) { try verify(unsigned) }
        #expect(refusal?.description.contains("not signed") == true)
        let header = token(header: #"{"alg":\#(String(repeating: "[", count: 200))}"#, claims: claims())
        #expect(throws: SignInToken.Refusal.self) { try verify(header) }
    }

    @Test("is signed as its key wants it, and never with none", arguments: [#""none""#, #""HS512""#, #""hs256""#, "5"])
    func algorithm(_ name: String) {
        let odd = token(header: #"{"alg":\#(name)}"#, claims: claims())
        #expect(throws: SignInToken.Refusal.self) { try verify(odd) }
    }

    @Test("with extensions that must be understood, which the service does not, is refused")
    func critical() {
        for header in [#"{"alg":"HS256","crit":["exp"],"exp":1}"#, #"{"alg":"HS256","crit":[]}"#] {
            let refusal = #expect(throws: SignInToken.Refusal.self) {
                try verify(token(header: header, claims: claims()))
            }
            #expect(refusal?.description.contains("crit") == true, "\(refusal?.description ?? "")")
        }
    }

    private func es256() throws -> (SignInKey, P256.Signing.PrivateKey) {
        let pair = P256.Signing.PrivateKey()
        let key = SignInKey(
            id: "k1", app: chime.number, algorithm: .es256, key: pair.publicKey.x963Representation, created: noon)
        return (key, pair)
    }

    @Test("may be signed with ES256, by the private key of the app's public one, and by no other")
    func publicKey() throws {
        let (key, pair) = try es256()
        let signed =
            "\(base64URL(Data(#"{"alg":"ES256","kid":"k1"}"#.utf8))).\(base64URL(Data(claims().utf8)))"
        let signature = try pair.signature(for: Data(signed.utf8)).rawRepresentation
        #expect(try verify("\(signed).\(base64URL(signature))", key: .app(key)) == "u1")
        let other = try P256.Signing.PrivateKey().signature(for: Data(signed.utf8)).rawRepresentation
        #expect(throws: SignInToken.Refusal.self) {
            try verify("\(signed).\(base64URL(other))", key: .app(key))
        }
    }

    @Test("signed with the public key as if it were a shared secret is refused")
    func confusion() throws {
        let (key, _) = try es256()
        let forged = token(header: #"{"alg":"HS256","kid":"k1"}"#, claims: claims(), secret: key.key)
        #expect(throws: SignInToken.Refusal.self) { try verify(forged, key: .app(key)) }
    }

    // MARK: An app's own keys

    private func register(_ service: RunningService, _ token: String) async throws -> RunningService.Answer {
        let body: JSONValue = [
            "installation": "phone", "secret": .string(String(repeating: "ab", count: 32)), "topic": .string(topic),
            "environment": "sandbox", "token": "aa", "permission": "authorized", "sign_in_token": .string(token),
        ]
        return try await service.call("POST", "/v1/devices", body: body, auth: "")
    }

    private func make(_ key: SignInKey, user: String = "u1") throws -> String {
        try SignInToken.make(
            user: user, topic: topic, issued: noon, expires: noon + .seconds(60), secret: key.key, keyID: key.id)
    }

    @Test("an app's keys rotate: two are live, a third must wait, and a revoked one binds nobody")
    func rotation() async throws {
        try await RunningService.run { service in
            let keys = SignInKeys(in: service.store.keys, clock: service.clock, random: .system, by: AuditActor("test"))
            let first = try await keys.makeSecret(for: chime)
            let second = try await keys.makeSecret(for: chime)
            for key in [first, second] { #expect(try await register(service, try make(key)).status == 200) }
            await #expect(throws: SignInKeys.Refusal.self) { _ = try await keys.makeSecret(for: chime) }
            #expect(try await keys.revoke(first.id, of: chime))
            let refused = try await register(service, try make(first))
            #expect(refused.status == 422 && refused.json["pointer"] == "/sign_in_token")
            #expect(try await register(service, try make(second)).status == 200)
            _ = try await keys.makeSecret(for: chime)
        }
    }

    @Test("another app's key signs nobody in, and a token without kid is the service's secret's")
    func foreignKey() async throws {
        try await RunningService.run { service in
            let keys = SignInKeys(in: service.store.keys, clock: service.clock, random: .system, by: AuditActor("test"))
            let foreign = try await keys.makeSecret(for: ferry)
            #expect(try await register(service, try make(foreign)).status == 422)
            let own = try await keys.makeSecret(for: chime)
            let withoutKey = try SignInToken.make(
                user: "u1", topic: topic, issued: noon, expires: noon + .seconds(60), secret: own.key)
            #expect(try await register(service, withoutKey).status == 422)
            let plain = try SignInToken.make(
                user: "u1", topic: topic, issued: noon, expires: noon + .seconds(60), secret: Self.secret)
            #expect(try await register(service, plain).status == 200)
        }
    }

    @Test("without kid binds nobody where the service takes tokens of keys only")
    func requiredKeys() async throws {
        try await RunningService.run(signInSecret: nil) { service in
            let keys = SignInKeys(in: service.store.keys, clock: service.clock, random: .system, by: AuditActor("test"))
            let own = try await keys.makeSecret(for: chime)
            #expect(try await register(service, try make(own)).status == 200)
            for secret in [Self.secret, Data(), own.key] {
                let plain = try SignInToken.make(
                    user: "u1", topic: topic, issued: noon, expires: noon + .seconds(60), secret: secret)
                let refused = try await register(service, plain)
                #expect(refused.status == 422, "\(refused.json)")
                #expect(refused.json["detail"]?.stringValue?.contains("names no key in kid") == true, "\(refused.json)")
            }
        }
    }

    @Test("an app that requires it takes no installation without one, until it is bound")
    func required() async throws {
        try await RunningService.run { service in
            _ = try await service.store.put(AppSettings(topic: topic, requiresSignIn: true), at: noon)
            let phone = TestPhone("phone", on: service)
            #expect(try await phone.register().status == 403)
            #expect(try await service.store.device("phone") == nil)
            #expect(try await phone.register(user: "u1").status == 200)
            #expect(try await phone.register().status == 200, "it is bound already")
        }
    }
}
