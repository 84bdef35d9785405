import CarillonCore
import Foundation

/// Checks the lengths of a registration's members.
enum RegistrationRule {
    static func check(_ registration: Registration) throws(Problem) {
        guard (try? MessageID(registration.installation)) != nil else {
            throw .invalid("/installation", "has 1 to \(MessageID.byteLimit) bytes of A–Z, a–z, 0–9, '.', '_' and '-'")
        }
        try check(secret: registration.secret, at: "/secret")
        try check(registration.facts)
        try check(registration.liveActivities ?? [])
        try check(registration.widgets ?? [])
    }

    /// Checks the tokens for Live Activities; each type and id may come once.
    static func check(_ tokens: [LiveActivityToken]) throws(Problem) {
        let path = "/live_activities"
        guard tokens.count <= LiveActivityToken.limit else {
            throw .invalid(path, "has \(tokens.count) entries; it takes at most \(LiveActivityToken.limit)")
        }
        var names: Set<[ExactText]> = []
        for (index, token) in tokens.enumerated() {
            guard (1...LiveActivityToken.typeByteLimit).contains(token.type.utf8.count) else {
                throw .invalid("\(path)/\(index)/type", "has 1 to \(LiveActivityToken.typeByteLimit) bytes")
            }
            if let id = token.id, (try? MessageID(id)) == nil {
                throw .invalid(
                    "\(path)/\(index)/id", "has 1 to \(MessageID.byteLimit) bytes of A–Z, a–z, 0–9, '.', '_' and '-'")
            }
            guard names.insert([ExactText(token.type), ExactText(token.id ?? "")]).inserted else {
                throw .invalid("\(path)/\(index)", "has the type and id of an earlier entry")
            }
        }
    }

    /// Checks the tokens for widgets and controls; each token may come once, and only one is for the widgets.
    static func check(_ tokens: [WidgetToken]) throws(Problem) {
        let path = "/widgets"
        guard tokens.count <= WidgetToken.limit else {
            throw .invalid(path, "has \(tokens.count) entries; it takes at most \(WidgetToken.limit)")
        }
        var seen: Set<DeviceToken> = []
        for (index, token) in tokens.enumerated() {
            if let kind = token.control, !(1...WidgetToken.kindByteLimit).contains(kind.utf8.count) {
                throw .invalid("\(path)/\(index)/control", "has 1 to \(WidgetToken.kindByteLimit) bytes")
            }
            guard seen.insert(token.token).inserted else {
                throw .invalid("\(path)/\(index)/token", "is that of an earlier entry")
            }
        }
        guard tokens.filter({ $0.control == nil }).count <= 1 else {
            throw .invalid(path, "has more than one entry without control: all widgets share one token")
        }
    }

    /// Returns whether a text has the form of an installation's secret.
    static func isSecret(_ text: String) -> Bool {
        ServiceLimits.secretCharacters.contains(text.utf8.count) && Data(hexadecimal: text) != nil
    }

    private static func check(secret: String, at pointer: String) throws(Problem) {
        guard isSecret(secret) else {
            let limits = ServiceLimits.secretCharacters
            throw .invalid(
                pointer, "is \(limits.lowerBound / 2) to \(limits.upperBound / 2) random bytes in hexadecimal")
        }
    }

    /// Checks the length of every text and every list in a device's facts.
    static func check(_ facts: DeviceFacts) throws(Problem) {
        let members: [String: JSONValue]
        do { members = try facts.members() } catch { throw .malformed("not understood") }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            switch value {
            case .string(let text) where text.utf8.count > StoreLimits.labelBytes:
                throw .invalid("/\(name)", "has at most \(StoreLimits.labelBytes) bytes")
            case .array(let labels): try check(labels, at: "/\(name)")
            default: break
            }
        }
    }

    private static func check(_ labels: [JSONValue], at pointer: String) throws(Problem) {
        guard labels.count <= ServiceLimits.tagsPerDevice else {
            throw .invalid(
                pointer, "has \(labels.count) entries; it takes at most \(ServiceLimits.tagsPerDevice)")
        }
        for (index, label) in labels.enumerated() {
            guard (1...StoreLimits.labelBytes).contains(label.stringValue?.utf8.count ?? 0) else {
                throw .invalid("\(pointer)/\(index)", "has 1 to \(StoreLimits.labelBytes) bytes")
            }
        }
    }
}
