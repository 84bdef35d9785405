import CarillonCore
import Foundation

/// Decides a condition in Swift, device by device.
///
/// The cost is that of the devices and of the condition's tests, however many values the devices' properties have. The store
/// decides so where the database would have to compare long lists (``AudienceQuery/isCostly(_:of:)``).
struct DecidingAudiences: SessionPart {
    let session: StoreSession

    init(_ session: StoreSession) { self.session = session }

    /// A device that a condition selects.
    struct Device {
        let id: String
        /// The device's running number in its app.
        let ordinal: Int64
        let locale: String?
    }

    /// Returns the confirmed devices that meet an SQL condition and that `expression` selects, in the order of their ordinals
    /// (running numbers in the app).
    ///
    /// - Parameters:
    ///   - expression: the condition of an audience.
    ///   - condition: an SQL condition on the table `devices` that selects a bounded number of devices of one app.
    ///   - moment: the time from which the expression's ages are counted back.
    /// - Returns: the devices.
    /// - Throws: the errors of the database.
    func devices(
        _ expression: AudienceExpression, where condition: SQLCondition, at moment: Timestamp
    ) throws -> [Device] {
        let testsTags = expression.testsTags
        var found: [Device] = []
        try connection.forEachRow(
            """
            SELECT ordinal, id, environment, seen, permission, locale, time_zone, app_version, tags FROM devices
            WHERE confirmed IS NOT NULL AND ordinal IS NOT NULL AND \(condition.sql) ORDER BY ordinal
            """, condition.arguments
        ) { row in
            guard let ordinal = row.integer(0), let id = row.text(1), let environment = row.text(2),
                let seen = row.integer(3), let permission = row.text(4).flatMap(PermissionState.init(rawValue:))
            else { return }
            let facts = DeviceFacts(
                permission: permission, locale: row.text(5), timeZone: row.text(6), appVersion: row.text(7),
                tags: testsTags ? Self.tags(row.text(8)) : nil)
            let candidate = AudienceCandidate(
                facts: facts, environment: environment, seen: Timestamp(millisecondsSince1970: seen))
            guard expression.includes(candidate, at: moment) else { return }
            found.append(Device(id: id, ordinal: ordinal, locale: facts.locale))
        }
        return found
    }

    /// Calls `body` with each reachable device of an app that `expression` selects now, until `body` returns false.
    ///
    /// The function reads the devices in stretches of ``RangeRules/chunkDevices`` ordinals, so that it never holds all of them.
    func forEachReachable(
        _ expression: AudienceExpression, of app: AppNumber, _ body: (Device) throws -> Bool
    ) throws {
        let last = try AppsTable(session).lastOrdinal(of: app)
        var first: Int64 = 1
        while first <= last {
            let end = first + Int64(session.rules.chunkDevices)
            let stretch: SQLCondition = (
                "app = ? AND ordinal >= ? AND ordinal < ? AND state = 'active' AND token IS NOT NULL",
                [app.rawValue, first, end]
            )
            for device in try devices(expression, where: stretch, at: now) where try !body(device) { return }
            first = end
        }
    }

    private static func tags(_ text: String?) -> [String] {
        guard let text, text != "[]", let json = try? JSONValue(parsing: Data(text.utf8)) else { return [] }
        return (json.arrayValue ?? []).compactMap(\.stringValue)
    }
}
