import CarillonCore
import Testing

@testable import CarillonMessaging

@Suite("Whatever arrives")
struct InterpreterFuzzTests {
    private let keys = [
        "aps", "alert", "carillon", "v", "id", "rm", "silent", "until", "now", "attempt", "badge", "crt", "dlt",
        "title",
        "u", "messageId", "internalData", "validUntil", "inAppDetails", "sound", "content-available", "sync",
    ]
    private let texts = ["", "m-1", "{\"crt\": 1}", "no id!", "default", "2027-01-31T12:00:00Z"]

    private func value(depth: Int, using random: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
        case 0: .null
        case 1: .bool(Bool.random(using: &random))
        case 2: .int([0, 1, -1, Int64.max, Int64.min].randomElement(using: &random) ?? 0)
        case 3: .double([0.5, -1e300, 1e300, 1.0].randomElement(using: &random) ?? 0)
        case 4, 5: .string(texts.randomElement(using: &random) ?? "")
        case 6: .array((0..<3).map { _ in value(depth: depth - 1, using: &random) })
        default: object(depth: depth - 1, using: &random)
        }
    }

    private func object(depth: Int, using random: inout SeededGenerator) -> JSONValue {
        var members: [String: JSONValue] = [:]
        for _ in 0..<Int.random(in: 0..<7, using: &random) {
            if let key = keys.randomElement(using: &random) { members[key] = value(depth: depth, using: &random) }
        }
        return .object(members)
    }

    @Test("no payload brings the interpreter or the policy down, and no identifier is empty")
    func random() {
        let seed = UInt64.random(in: 1 ... .max)
        var random = SeededGenerator(seed: seed)
        var policy = MessagePolicy(receiptPrefix: "p")
        let now = Timestamp(secondsSince1970: 1_800_000_000)
        for round in 0..<5000 {
            var payload = object(depth: 4, using: &random).objectValue ?? [:]
            if Bool.random(using: &random) {
                var key = object(depth: 3, using: &random).objectValue ?? [:]
                key["v"] = 1
                key["id"] = .string("m\(round % 7)")
                payload["carillon"] = .object(key)
            }
            let instructions = PushInterpreter().instructions(for: payload)
            _ = policy.remove(instructions.removals, at: now)
            guard let message = instructions.message else { continue }
            #expect(!message.identifier.isEmpty, "seed \(seed), round \(round)")
            let verdict = policy.record(message, MessageMoment(now: now))
            if verdict == .new, case .local(let notification) = message.presentation {
                #expect(notification.hasText, "seed \(seed), round \(round)")
                policy.markShown(message.identifier, at: now)
            }
        }
    }
}
