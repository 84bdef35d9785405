import CarillonCore
import Foundation

/// Whom a message is for: the devices that its audience means at this moment.
extension StoreTransaction {
    /// How many devices a message is for; those of a single user are kept for the message to be addressed.
    mutating func audienceCount(_ message: NewMessage) throws -> Int {
        guard case .users(let users) = message.audience, users.count == 1, let user = users.first else {
            return try count(message.audience, of: message.app.number)
        }
        let devices = try reachable(user, of: message.app.number.rawValue)
        counted = (user, message.app.number.rawValue, devices)
        return devices.count
    }

    /// The devices of a user, if they were counted in this transaction; once.
    mutating func takeCounted(_ user: String, of app: Int64) -> [SQLRow]? {
        defer { counted = nil }
        return counted.flatMap { $0.user == user && $0.app == app ? $0.devices : nil }
    }

    /// How a message for nobody by name is sent.
    ///
    /// An app with few devices has rows, for which it is counted; else it costs the same whatever the audience. What has
    /// been accepted one way stays so in its later revisions.
    func broadcastForm(_ message: NewMessage) throws -> DeliveryForm {
        let existing = try row(
            "SELECT ranged FROM messages WHERE app = ? AND id = ?", [message.app.number.rawValue, message.id.rawValue])
        let isRanged = try existing.map { $0["ranged"] as Bool } ?? hasMany(message.app.number)
        return isRanged ? .ranges : .rows(devices: try broadcastCount(message))
    }

    /// Whether so many devices of an app have been confirmed that what is for nobody by name is sent by ranges.
    private func hasMany(_ app: AppNumber) throws -> Bool {
        try integer(
            "SELECT count(*) FROM (SELECT 1 FROM devices WHERE app = ? AND ordinal > 0 LIMIT ?) AS found",
            [app.rawValue, ranges.devices + 1]) > ranges.devices
    }

    /// The same of a message for nobody by name, counted no further than it decides whether it is refused.
    func broadcastCount(_ message: NewMessage) throws -> Int {
        let (condition, names) = try condition(message.audience, of: message.app.number, at: now)
        return try integer(
            """
            SELECT count(*) FROM (SELECT 1 FROM devices
                WHERE state = 'active' AND token IS NOT NULL AND \(condition) LIMIT ?) AS found
            """, names + [ServiceLimits.audienceDevices + 1])
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
        // The database tells apart what Swift holds for the same text: é in one character and in two.
        return Dictionary(rows.map { ($0.text("locale"), $0["count"]) }, uniquingKeysWith: +)
    }

    /// What a message's audience means in SQL, always within its app; names travel as one JSON array.
    ///
    /// Everyone is who has been confirmed: an installation that somebody made up costs no push.
    func condition(
        _ audience: Audience, of app: AppNumber, at moment: Timestamp, over stretch: ClosedRange<Int64>? = nil
    ) throws -> Condition {
        switch audience {
        case .everyone:
            return ("app = ? AND confirmed IS NOT NULL", [app.rawValue])
        case .matching(let expression):
            let (sql, values) = try condition(expression, of: app, at: moment, over: stretch)
            // The plus keeps the database from walking the app where a tag leads it to few devices.
            let column = expression.isNarrowedByTag && stretch == nil ? dialect.unindexed("app") : "app"
            return ("\(column) = ? AND confirmed IS NOT NULL AND (\(sql))", [app.rawValue] + values)
        case .users(let users) where users.count == 1:
            // As most messages are: nothing is made of the list.
            return ("app = ? AND user = ?", [app.rawValue, users[0]])
        case .users(let users):
            return (
                "app = ? AND user IN (SELECT value FROM \(dialect.textsOfJSON) AS named)",
                [app.rawValue, try Self.json(users)]
            )
        case .devices(let devices):
            return (
                "app = ? AND id IN (SELECT value FROM \(dialect.textsOfJSON) AS named)",
                [app.rawValue, try Self.json(devices)]
            )
        }
    }

    /// The same of the devices with certain ordinals: those who have a tag that all must have, where there is one, and else
    /// one after the other.
    func condition(
        _ audience: Audience, of app: AppNumber, at moment: Timestamp, within stretch: ClosedRange<Int64>
    ) throws -> Condition {
        let bounds: SQLArguments = [stretch.lowerBound, stretch.upperBound]
        guard let (tags, rest) = audience.narrowing else {
            let (sql, values) = try condition(audience, of: app, at: moment, over: stretch)
            return ("ordinal >= ? AND ordinal <= ? AND (\(sql))", bounds + values)
        }
        let (sql, values) = try condition(
            rest.map { .matching($0) } ?? .everyone, of: app, at: moment, over: stretch)
        let tagged =
            """
            SELECT ordinal FROM device_tags WHERE app = ? AND ordinal >= ? AND ordinal <= ?
                AND tag IN (SELECT value FROM \(dialect.textsOfJSON) AS named)
            """
        return ("ordinal IN (\(tagged)) AND (\(sql))", [app.rawValue] + bounds + [try Self.json(tags)] + values)
    }

    static func json(_ names: some Encodable) throws -> String {
        String(decoding: try CarillonJSON.encode(names), as: UTF8.self)
    }
}
