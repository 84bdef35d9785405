import CarillonCore
import Foundation
import GRDB

/// Whom a message is for: the devices that its audience means at this moment.
extension SQLiteTransaction {
    func audienceCount(_ message: NewMessage) throws -> Int {
        let (condition, names) = try Self.condition(message)
        return try integer(
            "SELECT count(*) FROM devices WHERE state = 'active' AND token IS NOT NULL AND \(condition)", names)
    }

    /// What a message's audience means in SQL, always within its app; names travel as one JSON array.
    ///
    /// Everyone is who has been confirmed: an installation that somebody made up costs no push.
    static func condition(_ message: NewMessage) throws -> (sql: String, StatementArguments) {
        let app = message.app.number.rawValue
        return switch message.audience {
        case .everyone: ("app = ? AND confirmed IS NOT NULL", [app])
        case .users(let users): ("app = ? AND user IN (SELECT value FROM json_each(?))", [app, try json(users)])
        case .devices(let devices): ("app = ? AND id IN (SELECT value FROM json_each(?))", [app, try json(devices)])
        }
    }

    static func json(_ names: [String]) throws -> String {
        String(decoding: try CarillonJSON.encode(names), as: UTF8.self)
    }
}
