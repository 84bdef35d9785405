import CarillonCore

/// Finds the devices that hold device tokens.
struct TokenHolders: SessionPart {
    let session: StoreSession

    init(_ session: StoreSession) { self.session = session }

    /// Returns the device that holds each of some tokens, that of `environment` before another.
    func holders(
        of tokens: Set<DeviceToken>, in app: AppNumber, _ environment: APNsEnvironment
    ) throws -> [DeviceToken: TokenHolder] {
        let rows = try rows(
            """
            SELECT devices.id, devices.token, devices.environment, devices.state
            FROM \(dialect.textsOfJSON) AS wanted \(dialect.orderedJoin) devices
                ON devices.token = wanted.value AND devices.app = ?
            """, [try Self.json(tokens.map(\.hex).sorted()), app.rawValue])
        var holders: [DeviceToken: TokenHolder] = [:]
        for row in rows {
            guard let token = DeviceToken(hex: try row["token"]),
                let state = DeviceRecord.State(rawValue: try row["state"])
            else { continue }
            let isMeant = row.text("environment") == environment.rawValue
            if isMeant || holders[token] == nil { holders[token] = TokenHolder(id: try row["id"], state: state) }
        }
        return holders
    }
}
