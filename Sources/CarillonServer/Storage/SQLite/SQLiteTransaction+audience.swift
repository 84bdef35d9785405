import CarillonCore
import Foundation
import GRDB

/// Whom a message is for: the devices that its audience means at this moment.
extension SQLiteTransaction {
    func audienceCount(_ message: NewMessage) throws -> Int {
        try count(message.audience, of: message.app.number)
    }

    /// How many devices an audience means now.
    func count(_ audience: Audience, of app: AppNumber) throws -> Int {
        let (condition, names) = try condition(audience, of: app, at: now)
        return try integer(
            "SELECT count(*) FROM devices WHERE state = 'active' AND token IS NOT NULL AND \(condition)", names)
    }

    /// The same by the devices' locales.
    func locales(_ audience: Audience, of app: AppNumber) throws -> [String?: Int] {
        let (condition, names) = try condition(audience, of: app, at: now)
        let rows = try rows(
            """
            SELECT locale, count(*) AS count FROM devices
            WHERE state = 'active' AND token IS NOT NULL AND \(condition) GROUP BY locale
            """, names)
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.text("locale"), $0["count"]) })
    }

    /// What a message's audience means in SQL, always within its app; names travel as one JSON array.
    ///
    /// Everyone is who has been confirmed: an installation that somebody made up costs no push.
    func condition(_ audience: Audience, of app: AppNumber, at moment: Timestamp) throws -> Condition {
        switch audience {
        case .everyone:
            return ("app = ? AND confirmed IS NOT NULL", [app.rawValue])
        case .matching(let expression):
            let (sql, values) = try condition(expression, of: app, at: moment)
            // The plus keeps the database from walking the app where a tag leads it to few devices.
            let column = expression.isNarrowedByTag ? "+app" : "app"
            return ("\(column) = ? AND confirmed IS NOT NULL AND (\(sql))", [app.rawValue] + values)
        case .users(let users) where users.count == 1:
            // As most messages are: nothing is made of the list.
            return ("app = ? AND user = ?", [app.rawValue, users[0]])
        case .users(let users):
            return ("app = ? AND user IN (SELECT value FROM json_each(?))", [app.rawValue, try Self.json(users)])
        case .devices(let devices):
            return ("app = ? AND id IN (SELECT value FROM json_each(?))", [app.rawValue, try Self.json(devices)])
        }
    }

    static func json(_ names: [String]) throws -> String {
        String(decoding: try CarillonJSON.encode(names), as: UTF8.self)
    }
}
