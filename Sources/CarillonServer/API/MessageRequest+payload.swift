import CarillonCore
import Foundation

extension MessageRequest {
    /// A payload as it came, and whether its badge is left to the service.
    struct SentPayload {
        var payload: Payload
        var badgeIsAuto: Bool
        var isVisible: Bool { payload.aps.isVisible || badgeIsAuto }
    }

    static func payload(_ body: inout ObjectReader) throws(Problem) -> SentPayload {
        guard let json = body.take("payload"), case .object(var members) = json else {
            throw .invalid("/payload", #"is missing: it is what the phone gets, such as {"aps": {"alert": "Hello"}}"#)
        }
        guard members[CarillonKey.payloadKey] == nil else {
            throw .invalid("/payload/\(CarillonKey.payloadKey)", "is Carillon's own key; use another name")
        }
        // "badge": "auto" is Carillon's: the user's unread count.
        var isAuto = false
        if case .object(var aps) = members["aps"], aps["badge"] == "auto" {
            isAuto = true
            aps["badge"] = nil
            members["aps"] = .object(aps)
        }
        do {
            return SentPayload(payload: try Payload(json: .object(members)), badgeIsAuto: isAuto)
        } catch {
            let hint = error.key == "aps.badge" ? #", or "auto" for the user's unread count"# : ""
            throw problem(error, hint: hint)
        }
    }

    static func encoded(_ payload: Payload) throws(Problem) -> Data {
        do {
            return try payload.encoded()
        } catch {
            throw .invalid("/payload", "has a number that JSON cannot express")
        }
    }

    /// Checks what the phones will get: something to see, and not too much of it.
    func check(_ sent: SentPayload) throws(Problem) {
        if message.mode != .silent, !sent.isVisible {
            throw .invalid(
                "/payload/aps",
                #"shows nothing: give it an alert, a sound or a badge, or send it with "mode": "silent""#)
        }
        let claimed = ClaimedMessage(
            id: message.id, mode: message.mode, until: message.until, payload: sent.payload,
            badgeIsUnreadCount: message.badgeIsUnreadCount, dialect: message.dialect,
            keepsReplies: message.keepsReplies)
        do {
            try PushComposer.check(claimed, device: "device", topic: message.app.topic)
        } catch {
            throw Self.problem(error, hint: " (Carillon's own key included)")
        }
    }

    private static func problem(_ error: PayloadError, hint: String) -> Problem {
        let path = error.key.split(separator: ".").map { "/\($0)" }.joined()
        return .invalid("/payload\(path)", "\(error.description)\(hint)")
    }
}
