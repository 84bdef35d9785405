import CarillonCore
import CarillonUserInfo

/// A reader of the instructions in a push, which may have Carillon's or another provider's payload format.
///
/// The interpreter opens no files, reads no clock and cannot fail: a push that it does not understand counts as
/// ``PushInstructions/Dialect/foreign``. A push may contain both Carillon's key and another provider's keys, for older versions
/// of the app. Then the message comes from Carillon's key, and the removals of both formats are carried out.
package struct PushInterpreter: Sendable {
    package init() {}

    /// Reads the `userInfo` that iOS hands to a delegate.
    ///
    /// A dictionary with a value that JSON cannot represent counts as ``PushInstructions/Dialect/foreign``.
    package func instructions(forUserInfo userInfo: [AnyHashable: Any]) -> PushInstructions {
        guard let payload = JSONValue(foundation: userInfo)?.objectValue else {
            return PushInstructions(dialect: .foreign, problem: "the payload holds something that is not JSON")
        }
        return instructions(for: payload)
    }

    /// Reads a payload: `aps` and the keys beside it.
    ///
    /// If the payload contains both Carillon's key and another push provider's keys, and the provider's keys mark the message as
    /// in-app, the message does not become a notification. If the payload removes another provider's notification and contains a
    /// message with that notification's identifier, the removal is dropped: the message replaces the notification.
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

    /// Returns whether iOS shows the push by itself, because the push has an alert; a badge alone does not count.
    package func isAlert(_ payload: [String: JSONValue]) -> Bool {
        guard let alert = payload["aps"]?["alert"] else { return false }
        return alert != .null && alert != "" && alert != .object([:])
    }
}

extension PushInterpreter {
    /// Reads Carillon's own key; returns `nil` if there is none.
    func carillon(_ payload: [String: JSONValue]) -> PushInstructions? {
        guard let json = payload[CarillonKey.payloadKey], let key = CarillonKey(json: json) else { return nil }
        var instructions = PushInstructions(
            dialect: .carillon, removals: key.removals.map(PushRemoval.init), needsSync: key.needsSync,
            badge: key.badge,
            composedAt: key.now.flatMap { AppLimits.plausibleTimes.contains($0) ? $0 : nil }, claim: key.claim)
        // The notice in place of another provider's message has no id.
        if key.id != nil || key.isNotice {
            var message = PushMessage(
                identifier: key.id.map(key.dialect.identifier(of:)) ?? CarillonKey.payloadKey, messageID: key.id,
                presentation: isAlert(payload) ? .bySystem : .nothing, until: key.until,
                composedAt: instructions.composedAt, attempt: key.attempt, revision: key.revision)
            (message.isNotice, message.keepsReplies) = (key.isNotice, key.keepsReplies)
            if message.presentation == .nothing, let id = key.id, let silent = key.silent {
                (message.presentation, instructions.problem) = local(silent, key: key, id: id, in: payload)
                if message.presentation == .nothing { instructions.badge = key.badge ?? silent["badge"]?.intValue }
            }
            // iOS has already set the badge, but a later answer of the service may have changed it since.
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
