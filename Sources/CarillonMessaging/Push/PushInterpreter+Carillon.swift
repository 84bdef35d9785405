import CarillonCore

extension PushInterpreter {
    /// Reads Carillon's own key; `nil` when there is none.
    func carillon(_ payload: [String: JSONValue]) -> PushInstructions? {
        guard let json = payload[CarillonKey.payloadKey], let key = CarillonKey(json: json) else { return nil }
        var instructions = PushInstructions(
            dialect: .carillon, removals: key.removals.map(PushRemoval.init), needsSync: key.needsSync,
            badge: key.badge,
            composedAt: key.now.flatMap { AppLimits.plausibleTimes.contains($0) ? $0 : nil }, claim: key.claim)
        if let id = key.id {
            var message = PushMessage(
                identifier: key.dialect.identifier(of: id), messageID: id,
                presentation: isAlert(payload) ? .bySystem : .nothing, until: key.until, attempt: key.attempt,
                revision: key.revision)
            (message.isNotice, message.keepsReplies) = (key.isNotice, key.keepsReplies)
            if message.presentation == .nothing, let silent = key.silent {
                (message.presentation, instructions.problem) = local(silent, key: key, id: id, in: payload)
                if message.presentation == .nothing { instructions.badge = key.badge ?? silent["badge"]?.intValue }
            }
            // iOS has set it already; an answer of the service that arrived since may have undone that.
            if message.presentation == .bySystem {
                instructions.badge = key.badge ?? payload["aps"]?["badge"]?.intValue
            }
            instructions.message = message
        }
        return instructions
    }

    private func local(
        _ silent: JSONValue, key: CarillonKey, id: MessageID, in payload: [String: JSONValue]
    ) -> (PushMessage.Presentation, String?) {
        let aps: Aps
        do {
            aps = try Aps(json: silent)
        } catch {
            return (.nothing, "carillon.silent cannot be shown: \(error)")
        }
        var ownKey = key
        ownKey.silent = nil
        var userInfo = payload
        userInfo["aps"] = silent
        userInfo[CarillonKey.payloadKey] = ownKey.json
        let notification = LocalNotification(identifier: key.dialect.identifier(of: id), aps: aps, userInfo: userInfo)
        return notification.hasText ? (.local(notification), nil) : (.nothing, nil)
    }
}
