import CarillonCore

/// A device at a position of a ``RangeChunk``, with the columns from which the service decides whether and how to send the push.
struct RangedDevice {
    let id: String
    /// The device's position in the chunk: its ordinal (running number in the app) minus the ``RangeChunk``'s first ordinal.
    let place: Int
    let ordinal: Int64
    let environment: APNsEnvironment
    let isActive: Bool
    let isConfirmed: Bool
    let token: String?
    let user: String?
    let locale: String?
    let silentUnanswered: Int
    /// Whether the table `removals` has requests that the device has not confirmed.
    let hasOpenRemovals: Bool

    /// A column of a device, in the order in which a query selects the columns.
    ///
    /// The columns are read by position: look-ups by name would cost too much for so many rows.
    enum Column: Int, CaseIterable {
        // The first column is a number, because GRDB decodes the first column twice.
        case ordinal, id, environment, state, token, user, locale, isConfirmed, silentUnanswered, hasOpenRemovals

        var sql: String {
            switch self {
            case .id: "devices.id"
            case .ordinal: "devices.ordinal"
            case .environment: "devices.environment"
            case .state: "devices.state"
            case .token: "devices.token"
            case .user: "devices.user"
            case .locale: "devices.locale"
            case .isConfirmed: "devices.confirmed IS NOT NULL"
            case .silentUnanswered: "devices.silent_unanswered"
            case .hasOpenRemovals:
                "EXISTS (SELECT 1 FROM removals WHERE removals.device = devices.id AND removals.confirmed IS NULL)"
            }
        }

        static let list = allCases.map { "\($0.sql) AS column_\($0.rawValue)" }.joined(separator: ", ")
    }

    /// Decodes a device from the columns of a row.
    ///
    /// - Parameters:
    ///   - row: a row with the columns of ``Column``, in their order.
    ///   - start: the position of the first column. The default is 0.
    ///   - first: the first ordinal (running number in the app) of the device's ``RangeChunk``.
    /// - Throws: ``ServiceError`` if a column cannot be decoded.
    init(_ row: any SQLColumns, from start: Int = 0, first: Int64) throws {
        func text(_ column: Column) -> String? { row.text(start + column.rawValue) }
        func integer(_ column: Column) -> Int64 { row.integer(start + column.rawValue) ?? 0 }
        guard let id = text(.id), let ordinal = row.integer(start + Column.ordinal.rawValue),
            let environment = text(.environment).flatMap(APNsEnvironment.init(rawValue:))
        else { throw ServiceError(.storage, "the database holds something unreadable in column environment") }
        (self.id, self.ordinal, self.environment) = (id, ordinal, environment)
        place = Int(ordinal - first)
        isActive = text(.state) == DeviceRecord.State.active.rawValue
        (token, user, locale) = (text(.token), text(.user), text(.locale))
        isConfirmed = integer(.isConfirmed) != 0
        silentUnanswered = Int(integer(.silentUnanswered))
        hasOpenRemovals = integer(.hasOpenRemovals) != 0
    }
}
