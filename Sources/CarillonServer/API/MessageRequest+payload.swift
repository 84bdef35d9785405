import CarillonCore
import Foundation

extension MessageRequest {
    /// The payload of a request, and whether the service sets the badge to the user's unread count.
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
        // `"badge": "auto"` is an extension of Carillon: it stands for the user's unread count.
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

    /// Checks that the payload shows something, and that none of the message's pushes is too large.
    mutating func check(_ sent: SentPayload) throws(Problem) {
        if message.isNowOrNever, sent.badgeIsAuto {
            throw .invalid(
                "/payload/aps/badge",
                #"is "auto", but a message with "until": "now" is in no inbox and is not counted as unread: give a number, or none"#
            )
        }
        if message.mode != .silent, !sent.isVisible {
            throw .invalid(
                "/payload/aps",
                #"shows nothing: give it an alert, a sound or a badge, or send it with "mode": "silent""#)
        }
        let isSmall = message.texts.isEmpty && message.payload.count <= ServiceLimits.surelyFittingPayload
        if isDryRun || !isSmall { sizes = try sizes(of: sent.payload) }
    }

    /// Returns the size in bytes of the largest push in each language.
    ///
    /// The key `nil` stands for the texts in the payload itself. If the texts have variables, the size is computed for the
    /// recipient with the longest values.
    ///
    /// - Throws: ``Problem`` for the first push that is too large; it names the user whose values make the push too
    ///   large.
    private func sizes(of payload: Payload) throws(Problem) -> [String?: Int] {
        let content = content(payload)
        var sizes: [String?: Int] = [:]
        for language in [nil] + message.texts.localized.keys.sorted().map(Optional.some) {
            let user = message.texts.haveVariables ? content.longest(in: language, message.variables) : nil
            let values = user.flatMap { message.variables[$0] }
            do {
                sizes[language] = try PushComposer.largestPush(
                    of: content.message(in: language, values: values), device: "device", topic: message.app.topic)
            } catch {
                let hint = " (Carillon's own key included)"
                let whose = user.map { "with the values of user \($0), " } ?? ""
                guard let language else {
                    throw user == nil
                        ? Self.problem(error, hint: hint) : .invalid("/payload", "\(whose)\(error.description)\(hint)")
                }
                throw .invalid("/localized/\(language)", "\(whose)\(error.description)\(hint)")
            }
        }
        return sizes
    }

    private func content(_ payload: Payload) -> MessageContent {
        MessageContent(
            ClaimedMessage(
                id: message.id, mode: message.mode, until: message.until, payload: payload,
                badgeIsUnreadCount: message.badgeIsUnreadCount, dialect: message.dialect,
                keepsReplies: message.keepsReplies, isNowOrNever: message.isNowOrNever), message.texts)
    }

    /// Returns the payload of the message in a language of its texts, and the size of its largest push.
    ///
    /// - Throws: the errors of JSON, which a checked message does not have.
    func rendered(in language: String?) throws -> (payload: JSONValue, bytes: Int?) {
        let payload = try Payload(json: JSONValue(parsing: message.payload))
        let shown = content(payload).message(in: language).payload
        return (try JSONValue(parsing: shown.encoded()), sizes[language] ?? nil)
    }

    private static func problem(_ error: PayloadError, hint: String) -> Problem {
        let path = error.key.split(separator: ".").map { "/\($0)" }.joined()
        return .invalid("/payload\(path)", "\(error.description)\(hint)")
    }
}
