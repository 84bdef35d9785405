import CarillonCore

/// Finds the devices of an audience in stretches of bounded size, for tasks that work in steps (``StepwiseWork``).
struct DevicesInSteps: SessionPart {
    let session: StoreSession
    private let audiences: AudienceQuery

    init(_ session: StoreSession) {
        self.session = session
        audiences = AudienceQuery(session)
    }

    /// Returns an audience as a task stores it; without named recipients, it has the devices that are registered now.
    func recipients(_ audience: Audience, of app: AppNumber) throws -> StepwiseWork.Addressing.Recipients {
        switch audience {
        case .users(let users): .users(users)
        case .devices(let devices): .devices(devices)
        case .everyone: .everyone(upTo: try AppsTable(session).lastOrdinal(of: app))
        case .matching(let expression):
            .matching(
                upTo: try AppsTable(session).lastOrdinal(of: app), condition: expression.description, at: now)
        // Only a message is sent again.
        case .unseen: .devices([])
        }
    }

    /// Returns the numbers of the next devices that can be reached, and the position after them; `nil` at the end.
    ///
    /// The position is the number of the last device; without named recipients, it is the last ordinal.
    /// With `nil`, the default, `limit` is the transaction's room.
    func next(
        _ recipients: StepwiseWork.Addressing.Recipients, of app: AppNumber, after first: Int64, limit: Int? = nil
    ) throws -> (devices: [Int64], reached: Int64?) {
        let limit = limit ?? room
        switch recipients {
        case .users(let users): return try next(.users(users), of: app, after: first, limit)
        case .devices(let devices): return try next(.devices(devices), of: app, after: first, limit)
        case .everyone(let last): return try next(.everyone, of: app, after: first, upTo: last, at: now, limit)
        case .matching(let last, let text, let moment):
            return try next(
                .matching(try AudienceParser.parse(text)), of: app, after: first, upTo: last, at: moment, limit)
        }
    }

    private func next(
        _ audience: Audience, of app: AppNumber, after first: Int64, _ limit: Int
    ) throws -> (devices: [Int64], reached: Int64?) {
        let condition = try audiences.condition(audience, of: app, at: now)
        let found: [Int64] = try rows(
            """
            SELECT number FROM devices WHERE state = 'active' AND token IS NOT NULL AND \(condition.sql) AND number > ?
            ORDER BY number LIMIT ?
            """, condition.arguments + [first, limit]
        ).map { try $0["number"] }
        return (found, found.count == limit ? found.last : nil)
    }

    private func next(
        _ audience: Audience, of app: AppNumber, after first: Int64, upTo last: Int64, at moment: Timestamp,
        _ limit: Int
    ) throws -> (devices: [Int64], reached: Int64?) {
        let isCostly = try audiences.costly(audience, of: app) != nil
        let stretch = isCostly ? StoreLimits.decidedDevicesPerStep : StoreLimits.askedDevicesPerStep
        let end = min(last, first + stretch)
        guard end > first else { return ([], nil) }
        let condition = try audiences.condition(audience, of: app, at: moment, within: first + 1...end)
        let found = try rows(
            """
            SELECT number, ordinal FROM devices WHERE state = 'active' AND token IS NOT NULL AND \(condition.sql)
            ORDER BY ordinal LIMIT ?
            """, condition.arguments + [limit])
        let reached = found.count == limit ? found.last?["ordinal"] ?? end : end
        return (try found.map { try $0["number"] }, reached >= last ? nil : reached)
    }
}
