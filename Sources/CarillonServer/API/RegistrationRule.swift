import CarillonCore
import Foundation

/// What a registration may say.
enum RegistrationRule {
    static func check(_ registration: Registration, topics: [String]) throws(Problem) {
        guard (try? MessageID(registration.installation)) != nil else {
            throw .invalid("/installation", "has 1 to \(MessageID.byteLimit) bytes of A–Z, a–z, 0–9, '.', '_' and '-'")
        }
        let secret = registration.secret
        guard ServiceLimits.secretCharacters.contains(secret.utf8.count), Data(hexadecimal: secret) != nil else {
            throw .invalid("/secret", "is 32 to 128 random bytes in hexadecimal")
        }
        guard topics.contains(registration.topic) else {
            throw .invalid("/topic", "is not an app of this service; it knows \(topics.joined(separator: ", "))")
        }
        try check(
            labels: [
                ("locale", registration.locale), ("time_zone", registration.timeZone),
                ("app_version", registration.appVersion),
            ], tags: registration.tags ?? [])
    }

    static func check(_ device: DeviceRecord) throws(Problem) {
        try check(
            labels: [
                ("locale", device.locale), ("time_zone", device.timeZone), ("app_version", device.appVersion),
            ], tags: device.tags)
    }

    private static func check(labels: [(String, String?)], tags: [String]) throws(Problem) {
        for (name, label) in labels where (label ?? "").utf8.count > ServiceLimits.labelBytes {
            throw .invalid("/\(name)", "has at most \(ServiceLimits.labelBytes) bytes")
        }
        guard tags.count <= ServiceLimits.tagsPerDevice else {
            throw .invalid("/tags", "has \(tags.count) entries; it takes at most \(ServiceLimits.tagsPerDevice)")
        }
        for (index, tag) in tags.enumerated() where !(1...ServiceLimits.labelBytes).contains(tag.utf8.count) {
            throw .invalid("/tags/\(index)", "has 1 to \(ServiceLimits.labelBytes) bytes")
        }
    }
}

extension DeviceRecord {
    init(_ registration: Registration, user: String?, at now: Timestamp) {
        self.init(
            id: registration.installation, secretHash: SecretHash.of(registration.secret), topic: registration.topic,
            environment: registration.environment, token: registration.token, tokenRegistered: now, user: user,
            permission: registration.permission, locale: registration.locale, timeZone: registration.timeZone,
            appVersion: registration.appVersion, tags: registration.tags ?? [])
    }
}

extension DeviceChange {
    func apply(to device: inout DeviceRecord) {
        device.token = token ?? device.token
        device.environment = environment ?? device.environment
        device.permission = permission ?? device.permission
        device.locale = locale ?? device.locale
        device.timeZone = timeZone ?? device.timeZone
        device.appVersion = appVersion ?? device.appVersion
        device.tags = tags ?? device.tags
    }
}
