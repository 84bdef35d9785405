import CarillonCore
import Foundation

/// Converts an audience to and from the text in the column `condition` of the table `ranges`.
///
/// The table has a row for each message whose deliveries are kept as bitmaps, a bit for each device (``RangeRules``).
extension Audience {
    /// The named users or devices of an audience, or the message that it did not see, which the column `condition` stores as a JSON object.
    ///
    /// The object begins with `{`, unlike the text of any ``AudienceExpression``.
    private struct Named: Codable {
        var users: [String]?
        var devices: [String]?
        var unseen: Int64?
    }

    /// The value of the column `condition` of the table `ranges` for this audience; `nil` for everyone.
    var rangeCondition: String? {
        get throws {
            switch self {
            case .everyone: nil
            case .matching(let expression): expression.description
            case .users(let users): try RangesTable.json(Named(users: users))
            case .devices(let devices): try RangesTable.json(Named(devices: devices))
            case .unseen(let message): try RangesTable.json(Named(unseen: message))
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
        self = named.users.map(Audience.users) ?? named.unseen.map(Audience.unseen) ?? .devices(named.devices ?? [])
    }
}
