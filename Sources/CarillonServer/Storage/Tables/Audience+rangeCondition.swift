import CarillonCore
import Foundation

/// The column `condition` of `ranges`, which stores a revision's audience until its chunks are planned.
extension Audience {
    /// The named users or devices, as JSON; no ``AudienceExpression`` begins with `{`.
    private struct Named: Codable {
        var users: [String]?
        var devices: [String]?
    }

    /// The value of the column `condition`; `nil` for everyone.
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

    /// - Parameter condition: the value of the column.
    /// - Throws: an error if the condition cannot be read.
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
