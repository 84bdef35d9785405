import CarillonCore
import Foundation

/// How the table `ranges` keeps whom a revision is for, until it is decided on.
extension Audience {
    /// The users or devices that are named, as JSON: no ``AudienceExpression`` begins as that does.
    private struct Named: Codable {
        var users: [String]?
        var devices: [String]?
    }

    /// The column `condition`; `nil` for everyone.
    var rangeCondition: String? {
        get throws {
            switch self {
            case .everyone: nil
            case .matching(let expression): expression.description
            case .users(let users): try RangesTable.json(Named(users: users))
            case .devices(let devices): try RangesTable.json(Named(devices: devices))
            }
        }
    }

    /// - Parameter condition: what the column has.
    /// - Throws: what cannot be read.
    init(rangeCondition condition: String?) throws {
        guard let condition else {
            self = .everyone
            return
        }
        guard condition.hasPrefix("{") else {
            self = .matching(try AudienceParser.parse(condition))
            return
        }
        let named = try CarillonJSON.decode(Named.self, from: Data(condition.utf8))
        self = named.users.map(Audience.users) ?? .devices(named.devices ?? [])
    }
}
