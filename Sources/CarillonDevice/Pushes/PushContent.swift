import CarillonCore
import Foundation
@_spi(Simulation) import UserNotifications

/// A push, read the way a phone reads it: what iOS would overlook is left out and named.
struct PushContent {
    let payload: Payload
    let content: UNNotificationContent
    /// What was left out, one sentence each.
    let notes: [String]

    init(push: IncomingPush, strings: [String: String], rules: PhoneRules) throws {
        let whole = try JSONValue(parsing: push.payload)
        var json = whole
        var notes: [String] = []
        var payload: Payload?
        for _ in 0..<PhoneLimits.unreadableKeys where payload == nil {
            do throws(PayloadError) {
                payload = try Payload(json: json)
            } catch {
                guard let repaired = Self.without(error.key, in: json) else { throw error }
                notes.append("ignored: \(error.description)")
                json = repaired
            }
        }
        guard let payload else { throw PayloadError(key: "aps", problem: "has too many keys that cannot be read") }
        self.payload = payload
        self.notes = notes
        // The app gets everything, also what the phone itself ignores.
        let userInfo = rules.keeps(.userInfoIsPayload) ? whole.foundationObject as? [String: Any] : nil
        content = Self.content(payload, userInfo ?? [:], Localization(strings: strings))
    }

    /// The payload without the offending member of `aps`.
    private static func without(_ key: String, in json: JSONValue) -> JSONValue? {
        let path = key.split(separator: ".").map(String.init)
        guard path.count >= 2, path[0] == "aps", var members = json.objectValue,
            var aps = members["aps"]?.objectValue, aps.removeValue(forKey: path[1]) != nil
        else { return nil }
        members["aps"] = .object(aps)
        return .object(members)
    }

    private static func content(
        _ payload: Payload, _ userInfo: [String: Any], _ strings: Localization
    ) -> UNNotificationContent {
        let aps = payload.aps
        let content = UNMutableNotificationContent()
        if let alert = aps.alert {
            (content.title, content.subtitle, content.body) = strings.resolve(alert)
            if case .parts(let parts) = alert { content.launchImageName = parts.launchImage ?? "" }
        }
        content.badge = aps.badge.map { NSNumber(value: $0) }
        content.sound = aps.sound.map(sound)
        content.threadIdentifier = aps.threadID ?? ""
        content.categoryIdentifier = aps.category ?? ""
        content.targetContentIdentifier = aps.targetContentID
        content.interruptionLevel = aps.interruptionLevel.map(level) ?? .active
        content.relevanceScore = aps.relevanceScore ?? 0
        content.filterCriteria = aps.filterCriteria
        content.userInfo = userInfo
        return content
    }

    private static func sound(_ sound: Sound) -> UNNotificationSound {
        switch sound {
        case .named("default"): .default
        case .named(let name): UNNotificationSound(named: UNNotificationSoundName(name))
        case .critical("default", let volume): .defaultCriticalSound(withAudioVolume: Float(volume))
        case .critical(let name, let volume):
            .criticalSoundNamed(UNNotificationSoundName(name), withAudioVolume: Float(volume))
        }
    }

    private static func level(_ level: InterruptionLevel) -> UNNotificationInterruptionLevel {
        switch level {
        case .passive: .passive
        case .active: .active
        case .timeSensitive: .timeSensitive
        case .critical: .critical
        }
    }
}
