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
        if expression.comparedField != nil { return try compared(expression, of: app, isIndexed: stretch == nil) }
        switch expression {
        case .all(let parts):
            return Self.joined(try parts.map { try condition($0, of: app, at: moment, over: stretch) }, " AND ")
        case .any(let parts):
            return Self.joined(try parts.map { try condition($0, of: app, at: moment, over: stretch) }, " OR ")
        case .not(let part): return negated(try condition(part, of: app, at: moment, over: stretch))
        case .test(let test): return try condition(test, of: app, at: moment, over: stretch)
        }
    }

    func condition(
        _ test: AudienceTest, of app: AppNumber, at moment: Timestamp, over stretch: ClosedRange<Int64>?
    ) throws -> SQLCondition {
        switch test {
        case .tag(let pattern):
            return stretch.map { Self.tagged(pattern, of: app, over: $0) } ?? Self.tagged(pattern, of: app)
        case .locale, .timeZone, .version: return try compared(.test(test), of: app, isIndexed: stretch == nil)
        case .environment(let name): return ("environment = ?", [name])
        case .permission(let name): return ("permission = ?", [name])
        case .seen(let comparison, let age):
            return Self.seen(stretch == nil ? "seen" : dialect.unindexed("seen"), comparison, age, before: moment)
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

    /// Returns the SQL condition for an expression that tests only one compared property.
    ///
    /// Swift decides the expression on each value that the property has in the app, and the database looks for these values.
    ///
    /// - Parameters:
    ///   - expression: the expression.
    ///   - app: the app.
    ///   - isIndexed: whether the database may use the index on the property's column.
    /// - Returns: the condition.
    /// - Throws: an error if the app has more values than the database may compare (``isCostly(_:of:)``); the errors of the
    ///   database.
    private func compared(
        _ expression: AudienceExpression, of app: AppNumber, isIndexed: Bool
    ) throws -> SQLCondition {
        guard let field = expression.comparedField, let values = try values(of: field, app) else {
            throw ServiceError(.storage, "the app has too many values for the database to compare")
        }
        let holdsForNone = expression.includes(AudienceCandidate(field, nil), at: now)
        let key = SessionCache.Comparison(app: app, expression: expression)
        let listed =
            try session.cache.comparisons[key]
            ?? Self.json(
                values.filter { expression.includes(AudienceCandidate(field, $0), at: now) != holdsForNone })
        session.cache.comparisons[key] = listed
        let column = isIndexed ? field.rawValue : dialect.unindexed(field.rawValue)
        let isListed =
            "\(column) IS NOT NULL AND \(column) IN (SELECT value FROM \(dialect.textsOfJSON) AS named)"
        return (holdsForNone ? "NOT (\(isListed))" : isListed, [listed])
    }

    /// Returns whether a condition costs less if Swift decides it device by device (``DecidingAudiences``).
    ///
    /// It does if the condition has many comparisons, or if a property that it compares has very many values in the app.
    func isCostly(_ expression: AudienceExpression, of app: AppNumber) throws -> Bool {
        let comparisons = expression.gathered.comparisons
        guard comparisons.count <= DeliveryLimits.comparisonsInSQL else { return true }
        return try Set(comparisons.compactMap(\.comparedField)).contains { try values(of: $0, app) == nil }
    }

    /// Returns the distinct values of a compared property among an app's devices; `nil` if they are more than
    /// ``RangeRules/comparedValues``.
    ///
    /// The query reads one index entry for each distinct value, not for each device. A session reads the values only once.
    private func values(of field: ComparedField, _ app: AppNumber) throws -> [String]? {
        let key = SessionCache.ComparedColumn(app: app, field: field)
        if let known = session.cache.comparedValues[key] { return known }
        let column = field.rawValue
        let limit = session.rules.comparedValues
        let found: [String] = try rows(
            """
            WITH RECURSIVE found(value, place) AS (
                SELECT min(\(column)), 1 FROM devices WHERE app = ?
                UNION ALL
                SELECT (SELECT min(\(column)) FROM devices WHERE app = ? AND \(column) > found.value), found.place + 1
                FROM found WHERE found.value IS NOT NULL AND found.place <= ?)
            SELECT value FROM found WHERE value IS NOT NULL
            """, [app.rawValue, app.rawValue, limit]
        ).map { try $0["value"] }
        let values = found.count > limit ? nil : found
        session.cache.comparedValues[key] = .some(values)
        return values
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
