import CarillonCore
import Foundation

/// The decision whether APNs accepts a push, with an explanation of each mistake in the push as a whole.
///
/// Some mistakes are found by APNs, others only by a phone.
struct PushVerdict {
    typealias Line = PayloadExplanation.Line

    /// The reason why APNs rejects the push, from the first failing check; `nil` if APNs accepts the push.
    private(set) var reason: PushRefusal.Reason?
    /// Whether no phone can read the payload, although APNs accepts it.
    private(set) var isUnreadable = false
    private(set) var lines: [Line] = []

    init(
        _ data: Data, _ json: Result<JSONValue, any Error>, pushType: PushType, priority: Int?, isStrict: Bool
    ) {
        do throws(PushRefusal) {
            try pushType.rule.check(priority: priority)
        } catch {
            refuse(error, [.error("apns-priority", Self.sentence(error))])
        }
        let check = data.withUnsafeBytes { bytes in
            Result { () throws(PushRefusal) in
                try pushType.rule.check(payload: bytes, byteCount: data.count, isStrict: isStrict)
            }
        }
        switch check {
        case .failure(let refusal): refuse(refusal, [Self.line(of: refusal, data, json)])
        case .success(let note):
            if case .failure(let error) = json {
                isUnreadable = true
                lines.append(.error("", "APNs takes it and no phone can read it: it is \(error)."))
            } else if note != nil {
                let flaw = (try? json.get())?["aps"] == nil ? "Missing" : "Empty"
                lines.append(
                    .warning(
                        "aps",
                        "\(flaw): APNs has been seen to take such a push, although Apple asks for an aps with content. The "
                            + "phone shows nothing."))
            }
        }
    }

    private mutating func refuse(_ refusal: PushRefusal, _ lines: [Line]) {
        reason = reason ?? refusal.reason
        self.lines += lines
    }

    private static func line(of refusal: PushRefusal, _ data: Data, _ json: Result<JSONValue, any Error>) -> Line {
        let answer = "APNs answers \(refusal.reason.rawValue)."
        guard refusal.reason == .payloadEmpty else {
            return .error("", sentence(refusal))
        }
        switch json {
        case .failure(let error): return .error("", "This is \(error): \(answer)")
        case .success(.object(let members)):
            if data.starts(with: [0xEF, 0xBB, 0xBF]) {
                return .error("", "It begins with a byte order mark (EF BB BF), which is no JSON: \(answer)")
            }
            guard let aps = members["aps"] else { return .error("aps", "Missing, but for a Wallet pass: \(answer)") }
            return aps.objectValue == nil
                ? .error("aps", "Must be a dictionary, not \(aps.kind): \(answer)")
                : .error("aps", "Empty, but for a Wallet pass: \(answer)")
        case .success(let value): return .error("", "The payload is \(value.kind), not an object: \(answer)")
        }
    }

    private static func sentence(_ refusal: PushRefusal) -> String {
        let detail = refusal.detail.prefix(1).uppercased() + refusal.detail.dropFirst()
        return "\(detail): APNs answers \(refusal.reason.rawValue)."
    }
}
