import CarillonCore

/// Reads what a push asks for, in any dialect.
///
/// It opens nothing, knows no clock and cannot fail: what is not understood is foreign. When a push carries Carillon's
/// key *and* another dialect (a sender that also serves older versions of the app), Carillon's message is the message,
/// and the removals of both are carried out.
package struct PushInterpreter: Sendable {
    package init() {}

    /// Reads the `userInfo` that iOS hands to a delegate.
    ///
    /// A dictionary that is not made of property-list values is foreign.
    package func instructions(forUserInfo userInfo: [AnyHashable: Any]) -> PushInstructions {
        guard let payload = JSONValue(foundation: userInfo)?.objectValue else {
            return PushInstructions(dialect: .foreign, problem: "the payload holds something that is not JSON")
        }
        return instructions(for: payload)
    }

    /// Reads a payload: `aps` and the keys beside it.
    ///
    /// A message that the other dialect wants inside the app becomes no notification: the service sends such messages too.
    ///
    /// Where it removes and creates the same notification of another sender, it creates: that replaces the old one.
    package func instructions(for payload: [String: JSONValue]) -> PushInstructions {
        let others = pushwoosh(payload) ?? infobip(payload)
        var all = carillon(payload) ?? others ?? PushInstructions(dialect: .foreign)
        if all.dialect == .carillon {
            if case .local? = all.message?.presentation, case .inApp? = others?.message?.presentation {
                all.message?.presentation = .inApp
            }
            let named = Set(all.removals.flatMap(\.identifiers))
            all.removals += (others?.removals ?? []).filter { !named.contains($0.identifier) }
        }
        all.removals.removeAll { $0.messageID == nil && $0.identifier == all.message?.identifier }
        return all
    }

    /// Whether iOS shows the push by itself: it has an alert; a badge alone is no message.
    package func isAlert(_ payload: [String: JSONValue]) -> Bool {
        guard let alert = payload["aps"]?["alert"] else { return false }
        return alert != .null && alert != "" && alert != .object([:])
    }
}

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
