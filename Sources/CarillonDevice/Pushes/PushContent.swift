import CarillonCore
import CarillonUserInfo
import Foundation
@_spi(Simulation) import UserNotifications

/// The contents of a push as a phone reads them, without the keys that iOS ignores; ``notes`` lists those keys.
///
/// This is a class, because the contents are large and many functions pass them on.
final class PushContent: Sendable {
    /// `aps` without the keys that iOS ignores.
    let aps: Aps
    let content: UNNotificationContent
    /// Notes of one sentence each, on ignored keys and on localized texts with a format specifier other than `%@`.
    ///
    /// In place of such a specifier, iOS shows nothing.
    let notes: [String]

    init(push: IncomingPush, strings: [String: String], rules: PhoneRules) throws {
        let whole = try JSONValue(parsing: push.payload)
        guard let members = whole.members else {
            throw PayloadError(key: "", problem: "the payload is \(whole.kind), not an object")
        }
        let aps = members["aps"] ?? [:]
        guard let apsMembers = aps.members else {
            throw PayloadError(key: "aps", problem: "must be a dictionary, not \(aps.kind)")
        }
        let ignored: [PayloadError]
        (self.aps, ignored) = Self.read(apsMembers, rules)
        let (content, misformatted) = Self.content(self.aps, Localization(strings: strings))
        // PushKit hands over a push unchanged.
        notes = push.pushType == .voip ? [] : ignored.map { "ignored: \($0.description)" } + misformatted
        // The app gets the whole payload, including the keys that the phone itself ignores.
        if rules.keeps(.userInfoIsPayload) { content.promiseUserInfo { whole.userInfo } }
        self.content = content
    }

    /// Reads the members of `aps`, and returns the result together with the errors of invalid keys.
    ///
    /// A key with an invalid value counts as absent, without affecting other keys (``PhoneRules/badMemberCountsAsAbsent``).
    private static func read(_ members: JSONObject, _ rules: PhoneRules) -> (Aps, [PayloadError]) {
        let whole =
            rules.trueCountsAsOne
            ? members : members.filter { $0.value.boolValue != true || !flags.contains($0.key) }
        let (aps, ignored) = Aps.read(whole)
        guard !rules.badMemberCountsAsAbsent else { return (aps, ignored) }
        // Of a path such as `aps.alert.title`, the second component names the key to remove as a whole.
        let names = ignored.compactMap { $0.key.split(separator: ".").dropFirst().first.map(String.init) }
        return (Aps.read(whole.filter { !names.contains($0.key) }).0, ignored)
    }

    /// The names of the keys in `aps` whose value is 0 or 1.
    private static let flags = Set(PayloadKey.keys(in: .aps, of: .alert).filter { $0.value == .flag }.map(\.name))

    /// Makes the notification's content from the keys of `aps`, and returns it with notes on the app's localized texts.
    private static func content(_ aps: Aps, _ strings: Localization) -> (UNMutableNotificationContent, [String]) {
        let content = UNMutableNotificationContent()
        var notes: [String] = []
        if let alert = aps.alert {
            (content.title, content.subtitle, content.body, notes) = strings.resolve(alert)
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
        return (content, notes)
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
