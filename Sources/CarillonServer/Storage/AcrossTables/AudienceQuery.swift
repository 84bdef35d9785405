import CarillonCore

/// Translates an audience into an SQL condition on the table `devices`.
///
/// App versions, locales and time zones usually have few distinct values, however many devices there are. Swift evaluates the
/// audience's expression on each distinct value, and the database only compares columns with the matching values. So the database
/// needs no rules for comparing versions or locales.
///
/// Phones choose these values and backends the expression, so both may be large. Then ``DecidingAudiences`` decides device by
/// device (``isCostly(_:of:)``).
struct AudienceQuery: SessionPart {
    let session: StoreSession
    private let deciding: DecidingAudiences
    private let unseen: UnseenDevices

    init(_ session: StoreSession) {
        self.session = session
        deciding = DecidingAudiences(session)
        unseen = UnseenDevices(session)
    }

    /// Returns the number of reachable devices that an audience selects now.
    ///
    /// A device is reachable if it is active and has a token.
    func count(_ audience: Audience, of app: AppNumber) throws -> Int {
        if let expression = try costly(audience, of: app) {
            var count = 0
            try deciding.forEachReachable(expression, of: app) { _ in
                count += 1
                return true
            }
            return count
        }
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
        if let expression = try costly(audience, of: app) {
            var counts: [String?: Int] = [:]
            try deciding.forEachReachable(expression, of: app) { device in
                counts[device.locale, default: 0] += 1
                return true
            }
            return counts
        }
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
        if let expression = try costly(message.audience, of: message.app.number) {
            var count = 0
            try deciding.forEachReachable(expression, of: message.app.number) { _ in
                count += 1
                return count <= StoreLimits.audienceDevices
            }
            return count
        }
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
    func hasMany(_ app: AppNumber) throws -> Bool { try has(moreThan: session.rules.devices, app) }

    /// Returns whether an app has more devices than `number`, among those that count (``hasMany(_:)``).
    func has(moreThan number: Int, _ app: AppNumber) throws -> Bool {
        try integer(
            "SELECT count(*) FROM (SELECT 1 FROM devices WHERE app = ? AND ordinal > 0 LIMIT ?) AS found",
            [app.rawValue, number + 1]) > number
    }

    /// Returns those of the given devices that an audience selects.
    func members(
        of audience: Audience, among devices: [String], _ app: AppNumber, at moment: Timestamp
    ) throws -> Set<String> {
        let named: SQLCondition = (dialect.isAmongTexts("id"), [try Self.json(devices)])
        if let expression = try costly(audience, of: app) {
            return Set(
                try deciding.devices(
                    expression, where: ("app = ? AND \(named.sql)", [app.rawValue] + named.arguments), at: moment
                ).map(\.id))
        }
        let (sql, arguments) = try condition(audience, of: app, at: moment)
        return Set(
            try rows(
                "SELECT id FROM devices WHERE \(named.sql) AND \(sql)", named.arguments + arguments
            ).map { try $0["id"] as String })
    }

    /// Returns the condition of an audience if it is costly (``isCostly(_:of:)``); otherwise `nil`.
    func costly(_ audience: Audience, of app: AppNumber) throws -> AudienceExpression? {
        guard case .matching(let expression) = audience, try isCostly(expression, of: app) else { return nil }
        return expression
    }

    /// Returns the ordinals of those devices in a stretch of ordinals that a costly condition selects.
    func ordinals(
        _ expression: AudienceExpression, of app: AppNumber, at moment: Timestamp, within stretch: ClosedRange<Int64>
    ) throws -> [Int64] {
        let narrowed = try expression.narrowing.map { try Self.tagged($0.tags, of: app, within: stretch, dialect) }
        let all: SQLCondition = (
            "app = ? AND ordinal >= ? AND ordinal <= ?", [app.rawValue, stretch.lowerBound, stretch.upperBound]
        )
        return try deciding.devices(
            expression, where: narrowed.map { ("app = ? AND \($0.sql)", [app.rawValue] + $0.arguments) } ?? all,
            at: moment
        ).map(\.ordinal)
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
            let (sql, values) = try condition(expression.gathered, of: app, at: moment, over: stretch)
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
        case .unseen(let message):
            return condition(try unseen.ordinals(of: message, within: stretch ?? 1...Int64.max), of: app)
        }
    }

    /// Converts an audience into an SQL condition on those devices of an app whose ordinals (running numbers in the app) are in
    /// `stretch`.
    ///
    /// If the audience requires a tag, the database reads only devices with that tag. Otherwise, it reads all devices with these
    /// ordinals. A costly condition is decided first, and the SQL condition names the ordinals.
    func condition(
        _ audience: Audience, of app: AppNumber, at moment: Timestamp, within stretch: ClosedRange<Int64>
    ) throws -> SQLCondition {
        if let expression = try costly(audience, of: app) {
            return condition(try ordinals(expression, of: app, at: moment, within: stretch), of: app)
        }
        let bounds: SQLArguments = [stretch.lowerBound, stretch.upperBound]
        guard let (tags, rest) = audience.narrowing else {
            let (sql, values) = try condition(audience, of: app, at: moment, over: stretch)
            return ("ordinal >= ? AND ordinal <= ? AND (\(sql))", bounds + values)
        }
        let (sql, values) = try condition(
            rest.map { .matching($0) } ?? .everyone, of: app, at: moment, over: stretch)
        let tagged = try Self.tagged(tags, of: app, within: stretch, dialect)
        return ("\(tagged.sql) AND (\(sql))", tagged.arguments + values)
    }

    /// Returns the SQL condition that selects an app's devices with these ordinals.
    func condition(_ ordinals: [Int64], of app: AppNumber) -> SQLCondition {
        (
            "app = ? AND \(dialect.isAmongIntegers("ordinal"))",
            [app.rawValue, Self.integers(ordinals)]
        )
    }

    /// Returns the SQL condition for the devices in a stretch of ordinals that have at least one of the tags.
    private static func tagged(
        _ tags: [String], of app: AppNumber, within stretch: ClosedRange<Int64>, _ dialect: SQLDialect
    ) throws -> SQLCondition {
        (
            """
            ordinal IN (SELECT ordinal FROM device_tags WHERE app = ? AND ordinal >= ? AND ordinal <= ?
                AND tag IN (SELECT value FROM \(dialect.textsOfJSON) AS named))
            """, [app.rawValue, stretch.lowerBound, stretch.upperBound, try json(tags)]
        )
    }
}
