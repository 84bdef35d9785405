import CarillonCore

/// Translates the expression of an audience into an SQL condition on the table `devices`.
extension AudienceQuery {

    /// Translates an expression into an SQL condition on the table `devices`.
    ///
    /// - Parameters:
    ///   - expression: the expression that selects the devices.
    ///   - app: the app whose devices are searched.
    ///   - moment: the time from which the expression's ages are counted back, for example the age in `seen<30d`.
    ///   - stretch: the ordinals (running numbers of the app's devices) to search; `nil`, the default, for all. With a range, the
    ///     condition is written so that the database reads only the devices of this range.
    /// - Returns: the condition, which is true or false for each device, never NULL.
    /// - Throws: the errors of the database.
    func condition(
        _ expression: AudienceExpression, of app: AppNumber, at moment: Timestamp,
        over stretch: ClosedRange<Int64>? = nil
    ) throws -> SQLCondition {
        switch expression {
        case .all(let parts):
            Self.joined(try parts.map { try condition($0, of: app, at: moment, over: stretch) }, " AND ")
        case .any(let parts):
            Self.joined(try parts.map { try condition($0, of: app, at: moment, over: stretch) }, " OR ")
        case .not(let part): negated(try condition(part, of: app, at: moment, over: stretch))
        case .test(let test): try condition(test, of: app, at: moment, over: stretch)
        }
    }

    func condition(
        _ test: AudienceTest, of app: AppNumber, at moment: Timestamp, over stretch: ClosedRange<Int64>?
    ) throws -> SQLCondition {
        func column(_ name: String) -> String { stretch == nil ? name : dialect.unindexed(name) }
        func among(_ name: String, _ isMeant: (String) -> Bool) throws -> SQLCondition {
            try Self.among(column(name), values(of: name, app).filter(isMeant), dialect)
        }
        switch test {
        case .tag(let pattern):
            return stretch.map { Self.tagged(pattern, of: app, over: $0) } ?? Self.tagged(pattern, of: app)
        case .locale(let pattern): return try among("locale") { pattern.matches(AudienceTest.locale($0)) }
        case .timeZone(let pattern): return try among("time_zone", pattern.matches)
        case .version(let comparison, let version):
            return try among("app_version") { AppVersion($0).map { comparison.holds($0, version) } ?? false }
        case .environment(let name): return ("environment = ?", [name])
        case .permission(let name): return ("permission = ?", [name])
        case .seen(let comparison, let age): return Self.seen(column("seen"), comparison, age, before: moment)
        }
    }

    private func negated(_ part: SQLCondition) -> SQLCondition { ("NOT (\(part.sql))", part.arguments) }

    private static func joined(_ parts: [SQLCondition], _ word: String) -> SQLCondition {
        (
            parts.map { "(\($0.sql))" }.joined(separator: word),
            parts.reduce(into: SQLArguments()) { $0 += $1.arguments }
        )
    }

    /// Returns an SQL condition for an app's devices that have a tag, or any tag with a prefix.
    ///
    /// The condition looks up the tag or the prefix in the index of tags, so that the database reads only the devices with such a
    /// tag.
    private static func tagged(_ pattern: TextPattern, of app: AppNumber) -> SQLCondition {
        let tags = "SELECT device FROM device_tags WHERE app = ?"
        guard pattern.isPrefix else { return ("id IN (\(tags) AND tag = ?)", [app.rawValue, pattern.text]) }
        return (
            "id IN (\(tags) AND tag BETWEEN ? AND ?)", [app.rawValue, pattern.text, last(beginningWith: pattern.text)]
        )
    }

    /// Returns an SQL condition for the devices in a range of ordinals (running numbers in the app) that have a tag, or any tag
    /// with a prefix.
    ///
    /// The condition looks up a whole tag in the index of tags. Any number of tags may begin with a prefix. So for a prefix, the
    /// condition searches the tags of each device in the range instead.
    private static func tagged(
        _ pattern: TextPattern, of app: AppNumber, over stretch: ClosedRange<Int64>
    ) -> SQLCondition {
        guard pattern.isPrefix else {
            return (
                "ordinal IN (SELECT ordinal FROM device_tags WHERE app = ? AND tag = ? AND ordinal >= ? AND ordinal <= ?)",
                [app.rawValue, pattern.text, stretch.lowerBound, stretch.upperBound]
            )
        }
        return (
            "EXISTS (SELECT 1 FROM device_tags WHERE device_tags.device = devices.id AND tag BETWEEN ? AND ?)",
            [pattern.text, last(beginningWith: pattern.text)]
        )
    }

    /// Returns a text that sorts after every tag with this prefix.
    ///
    /// The text is the prefix, followed by so many copies of U+10FFFF, the greatest character, that the text is longer than any
    /// tag.
    private static func last(beginningWith text: String) -> String {
        text + String(repeating: "\u{10FFFF}", count: StoreLimits.labelBytes)
    }

    /// Returns the SQL condition that a column's value is one of the texts in `meant`.
    private static func among(_ column: String, _ meant: [String], _ dialect: SQLDialect) throws -> SQLCondition {
        (
            "\(column) IS NOT NULL AND \(column) IN (SELECT value FROM \(dialect.textsOfJSON) AS named)",
            [try json(meant)]
        )
    }

    /// Returns the distinct values of a column among an app's devices.
    ///
    /// The query reads one index entry for each distinct value, not for each device.
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
        ).map { try $0["value"] }
    }

    /// Returns the SQL condition that compares the age of a device's last request with a given age.
    ///
    /// The age is converted into a time, so that the database can use the index on the column `seen`, the time of the last
    /// request.
    private static func seen(
        _ column: String, _ comparison: AudienceTest.Comparison, _ age: AudienceTest.Age, before now: Timestamp
    ) -> SQLCondition {
        let moment = now.millisecondsSince1970 - age.milliseconds
        let sign =
            switch comparison {
            case .less: ">"
            case .atMost: ">="
            case .more: "<"
            case .atLeast: "<="
            case .equal, .unequal: comparison.rawValue
            }
        return ("\(column) \(sign) ?", [moment])
    }
}
