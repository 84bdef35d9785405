import CarillonCore
import Foundation
import GRDB

/// Whom a message is for: the devices that its audience means at this moment.
extension SQLiteTransaction {
    func audienceCount(_ message: NewMessage) throws -> Int {
        let (condition, names) = try Self.condition(message.audience)
        return try integer(
            "SELECT count(*) FROM devices WHERE topic = ? AND state = 'active' AND token IS NOT NULL AND \(condition)",
            [message.topic] + names)
    }

    /// What an audience means in SQL; names travel as one JSON array.
    static func condition(_ audience: Audience) throws -> (sql: String, StatementArguments) {
        switch audience {
        case .everyone: ("true", [])
        case .users(let users): ("user IN (SELECT value FROM json_each(?))", [try json(users)])
        case .devices(let devices): ("id IN (SELECT value FROM json_each(?))", [try json(devices)])
        }
    }

    static func json(_ names: [String]) throws -> String {
        String(decoding: try CarillonJSON.encode(names), as: UTF8.self)
    }
}
