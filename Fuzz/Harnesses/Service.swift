import CarillonCore
import Crypto
import Foundation

@testable import CarillonServer

extension Harness {
    static let serviceHarnesses = [send, bodies, signIn, audience, template, devices]

    private static let now = Timestamp(secondsSince1970: 1_800_000_000)
    private static let app = AppReference(number: AppNumber(rawValue: 1), topic: "com.example.chime")
    private static let key = APIKeyRecord(
        id: "key", name: "fuzz", secretHash: Data(), scopes: [.send], apps: [app], created: now)

    /// The body of a send.
    private static let send = Harness(name: "send") { bytes in
        guard let json = try? JSONValue(parsing: Data(bytes)), let body = try? ObjectReader(json, pointer: "") else {
            return
        }
        do throws(Problem) {
            let rules = MessageRequest.Rules(key: key, now: now, freshID: "fresh")
            let message = try MessageRequest(body, rules).message
            demand(message.until ?? .distantFuture > now, "no message is taken whose time has passed")
            demand(message.payload.count <= 4096, "no message is taken that APNs refuses")
        } catch {
            demand((400..<500).contains(error.document.status), "what is wrong with a body is its sender's")
        }
    }

    /// The bodies of requests from apps.
    private static let bodies = Harness(name: "bodies") { bytes in
        let data = Data(bytes)
        if let registration = try? CarillonJSON.decode(Registration.self, from: data) {
            _ = try? RegistrationRule.check(registration)
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

    /// A condition of an audience: reading it and writing it again changes nothing.
    private static let audience = Harness(name: "audience") { bytes in
        guard let expression = try? AudienceParser.parse(String(decoding: bytes, as: UTF8.self)) else { return }
        let again = try? AudienceParser.parse(expression.description)
        demand(again == expression, "a condition that was written is read as it was")
    }

    /// A text with variables, and the tag of its language.
    private static let template = Harness(name: "template") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        _ = try? LanguageTag(text)
        _ = (try? TextTemplate(text))?.filled(with: ["name": "{{name}}"])
    }

    /// A file of device tokens.
    private static let devices = Harness(name: "devices") { bytes in
        for format in [ImportFormat.csv, .ndjson] {
            var reader = ImportRecordReader(format)
            var columns = ImportColumns(format)
            let rules = ImportRules(apps: [app], app: app, environment: .production)
            for record in reader.received(bytes) + [reader.finish()].compactMap(\.self) {
                guard let members = try? columns.members(of: record) else { continue }
                _ = try? rules.device(members, id: "device")
            }
        }
    }

    /// The bytes as a token, and as the claims of one that is signed with the right secret.
    private static let signIn = Harness(name: "sign-in") { bytes in
        let secret = Data("a secret of thirty-two bytes, ok".utf8)
        let text = String(decoding: bytes, as: UTF8.self)
        let forged = try? SignInToken(text).user(topic: app.topic, key: .service(secret), at: now)
        demand(forged == nil, "nobody signs in without the secret")
        let head = Data(#"{"alg":"HS256"}"#.utf8).base64URL
        let signed = "\(head).\(Data(bytes).base64URL)"
        let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: SymmetricKey(data: secret))
        let token = "\(signed).\(Data(code).base64URL)"
        if let user = try? SignInToken(token).user(topic: app.topic, key: .service(secret), at: now) {
            demand((1...DeliveryLimits.userIDBytes).contains(user.utf8.count), "a user has a name, of bounded length")
        }
    }
}

extension Timestamp {
    fileprivate static let distantFuture = Timestamp(millisecondsSince1970: .max)
}
