import CarillonCore

/// A property that an audience's condition can test.
enum AudienceField: String, CaseIterable {
    case tag
    case locale
    case timeZone = "time_zone"
    case version
    case environment
    case permission
    case seen

    /// An example of a condition on this property.
    var example: String {
        switch self {
        case .tag: "tag:vip"
        case .locale: "locale:de*"
        case .timeZone: "time_zone:Europe/*"
        case .version: "version>=2.1"
        case .environment: "environment:production"
        case .permission: "permission:authorized"
        case .seen: "seen<30d"
        }
    }

    /// Whether the property has ordered values, so that `<` and `>` apply.
    var isOrdered: Bool { self == .version || self == .seen }

    static func unknown(_ name: String) -> String {
        let names = allCases.map(\.rawValue)
        let hint = name.nearest(in: names).map { "did you mean \($0)? " } ?? ""
        return "\"\(name.prefix(64))\" is not known here; \(hint)Known are \(names.joined(separator: ", "))"
    }
}
