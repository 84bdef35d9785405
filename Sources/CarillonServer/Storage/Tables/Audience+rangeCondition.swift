import CarillonCore
import Foundation

/// Converts an audience to and from text for the column `condition` of the table `ranges`.
///
/// The column stores the audience of a message that is sent as ranges of devices (``RangeRules``).
extension Audience {
    /// The named users or devices of an audience, as a JSON object in the column `condition`.
    ///
    /// The object begins with `{`, unlike any ``AudienceExpression``.
    private struct Named: Codable {
        var users: [String]?
        var devices: [String]?
    }

    /// The value of the column `condition` of the table `ranges` for this audience; `nil` for everyone.
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

    /// Decodes an audience from the column `condition`.
    ///
    /// - Parameter condition: the value of the column.
    /// - Throws: an error if the condition cannot be decoded.
    init(rangeCondition condition: String?) throws {
        guard let condition else {
            self = .everyone
            return
        }
        guard condition.hasPrefix("{") else {
            self = .matching(try AudienceParser.parse(condition))
            return
        }
        guard let named = try? CarillonJSON.decode(Named.self, from: Data(condition.utf8)) else {
            throw ServiceError(.storage, "the database holds an audience that is unreadable: \(condition)")
        }
        self = named.users.map(Audience.users) ?? .devices(named.devices ?? [])
    }
}
