import CarillonCore
import Crypto
import Foundation

@testable import CarillonServer

extension Harness {
    static let serviceHarnesses = [send, bodies, signIn]

    private static let now = Timestamp(secondsSince1970: 1_800_000_000)

    /// The body of a send.
    private static let send = Harness(name: "send") { bytes in
        guard let json = try? JSONValue(parsing: Data(bytes)), let body = try? ObjectReader(json, pointer: "") else {
            return
        }
        do throws(Problem) {
            let rules = MessageRequest.Rules(topics: ["com.example.chime"], now: now, freshID: "fresh")
            let message = try MessageRequest(body, rules).message
            demand(message.until ?? .distantFuture > now, "no message is taken whose time has passed")
            demand(message.payload.count <= 4096, "no message is taken that APNs refuses")
        } catch {
            demand((400..<500).contains(error.document.status), "what is wrong with a body is its sender's")
        }
    }

    /// What apps send.
    private static let bodies = Harness(name: "bodies") { bytes in
        let data = Data(bytes)
        if let registration = try? CarillonJSON.decode(Registration.self, from: data) {
            _ = try? RegistrationRule.check(registration, topics: ["com.example.chime"])
        }
        let known = DeviceFacts(permission: .denied)
        if let change = try? CarillonJSON.decode(DeviceChange.self, from: data),
            let facts = try? known.applying(change.facts)
        {
            let again = facts.changes(since: known).flatMap { try? known.applying($0) }
            demand(again == facts, "what has changed, told again, gives the same facts")
        }
        if let batch = try? CarillonJSON.decode(ReceiptBatch.self, from: data) {
            for receipt in batch.receipts { _ = receipt.at - now }
        }
    }

    /// The bytes as a token, and as the claims of one that is signed with the right secret.
    private static let signIn = Harness(name: "sign-in") { bytes in
        let secret = Data("a secret of thirty-two bytes, ok".utf8)
        let text = String(decoding: bytes, as: UTF8.self)
        let forged = try? SignInToken.user(of: text, topic: "com.example.chime", secret: secret, at: now)
        demand(forged == nil, "nobody signs in without the secret")
        let head = Data(#"{"alg":"HS256"}"#.utf8).base64URL
        let signed = "\(head).\(Data(bytes).base64URL)"
        let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: SymmetricKey(data: secret))
        let token = "\(signed).\(Data(code).base64URL)"
        if let user = try? SignInToken.user(of: token, topic: "com.example.chime", secret: secret, at: now) {
            demand((1...ServiceLimits.userIDBytes).contains(user.utf8.count), "a user has a name, of bounded length")
        }
    }
}

extension Timestamp {
    fileprivate static let distantFuture = Timestamp(millisecondsSince1970: .max)
}
