import CarillonCore
import Crypto
import Foundation
import NIOCore
import NIOHPACK

@testable import CarillonSimulator

extension Harness {
    static let simulatorHarnesses = [request, shape, providerToken, orders]

    /// Lines "name=value" as the headers of a request.
    private static let request = Harness(name: "request") { bytes in
        var headers = HPACKHeaders([(":method", "POST"), (":path", "/3/device/0011")])
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            // NIOHPACK traps on a name that is not ASCII; NIOHTTP2 refuses one that comes over the network.
            guard parts.count == 2, parts[0].allSatisfy({ $0 < 0x80 }) else { continue }
            headers.add(
                name: String(decoding: parts[0], as: UTF8.self), value: String(decoding: parts[1], as: UTF8.self))
        }
        let head = RequestHead(headers)
        _ = try? RequestTarget.check(head)
        _ = head.deviceToken
        let senders = [
            SenderIdentity(topics: ["com.example.chime"], isCertificate: false),
            SenderIdentity(topics: ["com.example.chime"], isCertificate: true, defaultTopic: "com.example.chime"),
        ]
        for sender in senders {
            guard let push = try? HeaderRules(isStrict: true).check(head, sender: sender, payload: ByteBuffer())
            else { continue }
            demand((push.collapseID ?? "").utf8.count <= 64, "a collapse id has at most 64 bytes")
            demand([1, 5, 10].contains(push.priority), "there are three priorities")
            demand(push.bundleID == "com.example.chime", "nobody sends to another app")
        }
    }

    /// The look at a payload, and Foundation's decoder as the reference.
    private static let shape = Harness(name: "shape") { bytes in
        let shape = bytes.withUnsafeBytes { PayloadShape(reading: $0) }
        guard shape != .nothing, !bytes.isEmpty else { return }
        // Foundation takes UTF-16, a byte order mark and a comma too many; nesting is bounded here, and a key may come twice.
        guard !hasCommaTooMany(bytes), bytes.allSatisfy({ $0 != 0 && $0 < 0x80 }),
            bytes.filter({ $0 == 0x5B || $0 == 0x7B }).count < 100,
            String(decoding: bytes, as: UTF8.self).components(separatedBy: "aps").count <= 2
        else { return }
        let object = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any]
        if shape == .malformed {
            let hasBadAps = object.map { $0["aps"] != nil && !($0["aps"] is [String: Any]) } ?? true
            demand(hasBadAps, "what is refused is no JSON dictionary")
        } else {
            demand(object != nil || hasHugeNumber(bytes), "what is taken is a JSON dictionary")
        }
    }

    private static func hasCommaTooMany(_ bytes: [UInt8]) -> Bool {
        let text = bytes.filter { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
        return zip(text, text.dropFirst()).contains { $0 == 0x2C && ($1 == 0x5D || $1 == 0x7D) }
    }

    /// Foundation refuses a number that no `Double` holds; JSON's grammar does not.
    private static func hasHugeNumber(_ bytes: [UInt8]) -> Bool {
        bytes.contains(UInt8(ascii: "e")) || bytes.contains(UInt8(ascii: "E")) || bytes.count > 300
            || String(decoding: bytes, as: UTF8.self).contains("\\u")
    }

    /// The bytes as a token, and as the claims of one that is signed with the right key.
    private static let providerToken = Harness(name: "provider-token") { bytes in
        let privateKey = P256.Signing.PrivateKey()
        let key = SimulatorKey(
            keyID: "ABCDE12345", teamID: "TEAM123456", publicKeyPEM: privateKey.publicKey.pemRepresentation)
        guard let known = try? KnownKey(key) else { return }
        let verifier = TokenVerifier(keys: [key.keyID: known])
        let forged = try? verifier.verify(String(decoding: bytes, as: UTF8.self))
        demand(forged == nil, "no token is genuine without the key")
        let head = Data(#"{"alg":"ES256","kid":"ABCDE12345"}"#.utf8).base64URL
        let signed = "\(head).\(Data(bytes).base64URL)"
        guard let signature = try? privateKey.signature(for: Data(signed.utf8)) else { return }
        guard let token = try? verifier.verify("\(signed).\(signature.rawRepresentation.base64URL)") else { return }
        demand(token.teamID == key.teamID, "a key has one team")
    }

    /// Requests to the admin API.
    private static let orders = Harness(name: "orders") { bytes in
        guard let members = try? JSONValue(parsing: Data(bytes)).objectValue else { return }
        if let plan = try? FaultPlan(json: members) {
            var generator = SeededGenerator(seed: 1)
            demand(plan.latency.draw(using: &generator) >= .zero, "nothing is answered before it was asked")
            demand((try? FaultPlan(json: plan.json.objectValue ?? [:])) == plan, "a plan is read as it is shown")
        }
        if let rules = try? DeliveryRules(json: members), let budget = rules.backgroundBudget {
            var window = SlidingWindow()
            let now = Timestamp(secondsSince1970: 1_800_000_000)
            demand(window.admit(under: budget, at: now) == nil, "the first one passes")
        }
        _ = try? FleetSelection(json: members)
    }
}
