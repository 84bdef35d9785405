import CarillonCore

/// Translates an audience into an SQL condition on the table `devices`.
///
/// App versions, locales and time zones have few distinct values, however many devices there are. Swift evaluates the audience's
/// expression on each distinct value, and the database only compares columns with the matching values. So the database needs no
/// rules for comparing versions or locales.
struct AudienceQuery: SessionPart {
    let session: StoreSession

    init(_ session: StoreSession) { self.session = session }

    /// Returns the number of reachable devices that an audience selects now.
    ///
    /// A device is reachable if it is active and has a token.
    func count(_ audience: Audience, of app: AppNumber) throws -> Int {
        let (condition, names) = try condition(audience, of: app, at: now)
        return try integer(
            "SELECT count(*) FROM devices WHERE state = 'active' AND token IS NOT NULL AND \(condition)", names)
    }

    /// Returns the reason why an audience selects no reachable device.
    func reasonForNobody(in audience: Audience, of app: AppNumber) throws -> NobodyReason {
        guard !audience.isBroadcast else { return .nobodyMatches }
        let (condition, names) = try condition(audience, of: app, at: now)
        let isRegistered = try integer("SELECT EXISTS (SELECT 1 FROM devices WHERE \(condition))", names) > 0
        guard !isRegistered else { return .tokenGone }
        guard case .users = audience else { return .noSuchDevice }
        return .notSignedIn
    }

    /// Returns the number of reachable devices that an audience selects now, by locale.
    ///
    /// A device is reachable if it is active and has a token. The key `nil` stands for devices without a locale.
    func locales(_ audience: Audience, of app: AppNumber) throws -> [String?: Int] {
        let (condition, names) = try condition(audience, of: app, at: now)
        let rows = try rows(
            """
            SELECT locale, count(*) AS count FROM devices
            WHERE state = 'active' AND token IS NOT NULL AND \(condition) GROUP BY locale
            """, names)
        // The database distinguishes texts that Swift treats as equal, such as composed and decomposed é, so counts are added.
        return try Dictionary(rows.map { try ($0.text("locale"), $0["count"]) }, uniquingKeysWith: +)
    }

    /// Returns the number of reachable devices that a broadcast (a message without named recipients) selects.
    ///
    /// The count stops at one more than ``StoreLimits/audienceDevices``. Above this limit, a broadcast cannot get a row for each
    /// device, and the exact number of devices does not matter.
    func broadcastCount(_ message: NewMessage) throws -> Int {
        let (condition, names) = try condition(message.audience, of: message.app.number, at: now)
        return try integer(
            """
            SELECT count(*) FROM (SELECT 1 FROM devices
                WHERE state = 'active' AND token IS NOT NULL AND \(condition) LIMIT ?) AS found
            """, names + [StoreLimits.audienceDevices + 1])
    }

    /// Returns whether an app has so many devices that the deliveries of its broadcasts are kept as bitmaps, a bit for each
    /// device (``RangeRules``).
    ///
    /// A device counts only after its import, or after APNs has accepted a push to it.
    func hasMany(_ app: AppNumber) throws -> Bool {
        try integer(
            "SELECT count(*) FROM (SELECT 1 FROM devices WHERE app = ? AND ordinal > 0 LIMIT ?) AS found",
            [app.rawValue, session.rules.devices + 1]) > session.rules.devices
    }

    /// Converts an audience into an SQL condition on the devices of its app.
    ///
    /// The ids of several users or devices are one JSON array in the condition's arguments. The audience `everyone` selects only
    /// devices with a confirmed token (``DeviceRecord/confirmed``), so that an installation with an invented token costs no push.
    func condition(
        _ audience: Audience, of app: AppNumber, at moment: Timestamp, over stretch: ClosedRange<Int64>? = nil
    ) throws -> SQLCondition {
        switch audience {
        case .everyone:
            return ("app = ? AND confirmed IS NOT NULL", [app.rawValue])
        case .matching(let expression):
            let (sql, values) = try condition(expression, of: app, at: moment, over: stretch)
            // The expression around `app` keeps the database from scanning the whole app if a tag leads to few devices.
            let column = expression.isNarrowedByTag && stretch == nil ? dialect.unindexed("app") : "app"
            return ("\(column) = ? AND confirmed IS NOT NULL AND (\(sql))", [app.rawValue] + values)
        case .users(let users) where users.count == 1:
            // Most messages have one user and need no list.
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

    /// Converts an audience into an SQL condition on those devices of an app whose ordinals (running numbers in the app) are in
    /// `stretch`.
    ///
    /// If the audience requires a tag, the database reads only devices with that tag. Otherwise, it reads all devices with these
    /// ordinals.
    func condition(
        _ audience: Audience, of app: AppNumber, at moment: Timestamp, within stretch: ClosedRange<Int64>
    ) throws -> SQLCondition {
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
}
