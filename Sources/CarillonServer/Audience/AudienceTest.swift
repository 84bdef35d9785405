import CarillonCore

/// A test of one property of a device.
package enum AudienceTest: Sendable, Hashable {
    /// A test for a tag of the device.
    ///
    /// A pattern with `*` at the end matches tags that begin with the text.
    case tag(TextPattern)
    /// A test of the device's locale: `de*` means German in every region, `de` means German without a region.
    case locale(TextPattern)
    /// A test of the device's time zone, such as `Europe/Vienna` or `Europe/*`.
    case timeZone(TextPattern)
    /// A test of the app's version on the device, compared number by number.
    case version(Comparison, AppVersion)
    /// A test of the APNs environment of the device's token.
    case environment(String)
    /// A test of the notification permission that the person has given.
    case permission(String)
    /// A test of the time since the device's last request.
    ///
    /// `seen<30d` selects devices with a request within the last thirty days; `seen>30d` selects the other devices.
    case seen(Comparison, Age)

    package enum Comparison: String, Sendable, Hashable, CaseIterable {
        case less = "<"
        case atMost = "<="
        case equal = "="
        case unequal = "!="
        case atLeast = ">="
        case more = ">"

        func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
            switch self {
            case .less: left < right
            case .atMost: left <= right
            case .equal: left == right
            case .unequal: left != right
            case .atLeast: left >= right
            case .more: left > right
            }
        }
    }

    /// An age, as a number and its unit.
    package struct Age: Sendable, Hashable {
        package static let units: [Character: Int64] = ["m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        package let count: Int64
        package let unit: Character

        package var milliseconds: Int64 { count * (Self.units[unit] ?? 1) * 1000 }
    }
}

extension AudienceTest {
    func holds(for device: AudienceCandidate, at now: Timestamp) -> Bool {
        switch self {
        case .tag(let pattern): (device.facts.tags ?? []).contains { pattern.matches($0) }
        case .locale(let pattern): device.locale.map(pattern.matches) ?? false
        case .timeZone(let pattern): device.facts.timeZone.map(pattern.matches) ?? false
        case .version(let comparison, let version):
            device.version.map { comparison.holds($0, version) } ?? false
        case .environment(let name): device.environment == name
        case .permission(let name): device.facts.permission.rawValue == name
        case .seen(let comparison, let age):
            comparison.holds(now.millisecondsSince1970 - device.seen.millisecondsSince1970, age.milliseconds)
        }
    }

    /// Returns a locale in a normal spelling: iOS writes `pt_BR`, the web writes `pt-BR`, and case does not matter.
    package static func locale(_ name: String) -> String { name.replacing("_", with: "-").lowercased() }
}

extension AudienceTest: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tag(let pattern): "tag:\(pattern)"
        case .locale(let pattern): "locale:\(pattern)"
        case .timeZone(let pattern): "time_zone:\(pattern)"
        case .version(let comparison, let version): "version\(comparison.rawValue)\(version)"
        case .environment(let name): "environment:\(name)"
        case .permission(let name): "permission:\(name)"
        case .seen(let comparison, let age): "seen\(comparison.rawValue)\(age.count)\(age.unit)"
        }
    }
}
