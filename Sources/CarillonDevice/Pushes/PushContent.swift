import CarillonCore
import Foundation
@_spi(Simulation) import UserNotifications

/// A push, read the way a phone reads it: what iOS would overlook is left out and named.
///
/// An object, since it goes from hand to hand and is large.
final class PushContent: Sendable {
    let payload: Payload
    let content: UNNotificationContent
    /// The keys that were ignored, one sentence each.
    let notes: [String]

    init(push: IncomingPush, strings: [String: String], rules: PhoneRules) throws {
        let whole = try JSONValue(parsing: push.payload)
        (payload, notes) = try Self.read(whole)
        let content = Self.content(payload.aps, Localization(strings: strings))
        // The app gets everything, including the keys that the phone itself ignores.
        if rules.keeps(.userInfoIsPayload) { content.promiseUserInfo { whole.userInfo } }
        self.content = content
    }

    private static func read(_ whole: JSONValue) throws(PayloadError) -> (Payload, notes: [String]) {
        var json = whole
        var notes: [String] = []
        for _ in 0..<PhoneLimits.unreadableKeys {
            do throws(PayloadError) {
                return (try Payload(json: json), notes)
            } catch {
                guard let repaired = without(error.key, in: json) else { throw error }
                notes.append("ignored: \(error.description)")
                json = repaired
            }
        }
        throw PayloadError(key: "aps", problem: "has too many keys that cannot be read")
    }

    /// Returns the payload without the offending member of `aps`.
    private static func without(_ key: String, in json: JSONValue) -> JSONValue? {
        let path = key.split(separator: ".").map(String.init)
        guard path.count >= 2, path[0] == "aps", var members = json.objectValue,
            var aps = members["aps"]?.objectValue, aps.removeValue(forKey: path[1]) != nil
        else { return nil }
        members["aps"] = .object(aps)
        return .object(members)
    }

    private static func content(_ aps: Aps, _ strings: Localization) -> UNMutableNotificationContent {
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
