import CarillonCore
import Foundation

/// An audience's expression as a condition on the table `devices`.
///
/// Versions, locales and time zones are few whatever the number of devices: which of them an expression means is decided
/// here, value by value, and the database compares with those. So a second engine needs no rules of its own.
extension StoreTransaction {
    typealias Condition = (sql: String, arguments: SQLArguments)

    /// - Parameters:
    ///   - expression: whom it means.
    ///   - app: the app whose devices are asked.
    ///   - moment: what ages count from.
    /// - Returns: a condition that is never NULL.
    /// - Throws: what the database says.
    func condition(_ expression: AudienceExpression, of app: AppNumber, at moment: Timestamp) throws -> Condition {
        switch expression {
        case .all(let parts): try joined(parts, " AND ", of: app, at: moment)
        case .any(let parts): try joined(parts, " OR ", of: app, at: moment)
        case .not(let part): negated(try condition(part, of: app, at: moment))
        case .test(let test): try condition(test, of: app, at: moment)
        }
    }

    private func negated(_ part: Condition) -> Condition { ("NOT (\(part.sql))", part.arguments) }

    private func joined(_ parts: [AudienceExpression], _ word: String, of app: AppNumber, at moment: Timestamp) throws
        -> Condition
    {
        let parts = try parts.map { try condition($0, of: app, at: moment) }
        return (
            parts.map { "(\($0.sql))" }.joined(separator: word),
            parts.reduce(into: SQLArguments()) { $0 += $1.arguments }
        )
    }

    private func condition(_ test: AudienceTest, of app: AppNumber, at moment: Timestamp) throws -> Condition {
        switch test {
        case .tag(let pattern): Self.tagged(pattern, of: app)
        case .locale(let pattern): try among("locale", of: app) { pattern.matches(AudienceTest.locale($0)) }
        case .timeZone(let pattern): try among("time_zone", of: app, pattern.matches)
        case .version(let comparison, let version):
            try among("app_version", of: app) { AppVersion($0).map { comparison.holds($0, version) } ?? false }
        case .environment(let name): ("environment = ?", [name])
        case .permission(let name): ("permission = ?", [name])
        case .seen(let comparison, let age): seen(comparison, age, before: moment)
        }
    }

    /// The tag is looked up, and nobody else is asked.
    private static func tagged(_ pattern: TextPattern, of app: AppNumber) -> Condition {
        let tags = "SELECT device FROM device_tags WHERE app = ?"
        guard pattern.isPrefix else { return ("id IN (\(tags) AND tag = ?)", [app.rawValue, pattern.text]) }
        // A tag has no room for what sorts behind this.
        let last = pattern.text + String(repeating: "\u{10FFFF}", count: ServiceLimits.labelBytes)
        return ("id IN (\(tags) AND tag BETWEEN ? AND ?)", [app.rawValue, pattern.text, last])
    }

    /// One of the values that occur and are meant.
    private func among(_ column: String, of app: AppNumber, _ isMeant: (String) -> Bool) throws -> Condition {
        let meant = try values(of: column, app).filter(isMeant)
        return (
            "\(column) IS NOT NULL AND \(column) IN (SELECT value FROM \(dialect.textsOfJSON) AS named)",
            [try Self.json(meant)]
        )
    }

    /// The values that occur in a column, found by way of its index: as many steps as there are values.
    private func values(of column: String, _ app: AppNumber) throws -> [String] {
        try rows(
            """
            WITH RECURSIVE found(value) AS (
                SELECT min(\(column)) FROM devices WHERE app = ?
                UNION ALL
                SELECT (SELECT min(\(column)) FROM devices WHERE app = ? AND \(column) > found.value)
                FROM found WHERE found.value IS NOT NULL)
            SELECT value FROM found WHERE value IS NOT NULL
            """, [app.rawValue, app.rawValue]
        ).map { $0["value"] }
    }

    /// Turned round, so that the index on `seen` helps: heard of within an age is heard of since a moment.
    private func seen(
        _ comparison: AudienceTest.Comparison, _ age: AudienceTest.Age, before now: Timestamp
    ) -> Condition {
        let moment = now.millisecondsSince1970 - age.milliseconds
        let sign =
            switch comparison {
            case .less: ">"
            case .atMost: ">="
            case .more: "<"
            case .atLeast: "<="
            case .equal, .unequal: comparison.rawValue
            }
        return ("seen \(sign) ?", [moment])
    }
}
