import CarillonCore

/// Reads and writes the table `widget_tokens`: the tokens for widgets and controls that phones have registered, each with its reload.
struct WidgetTokensTable: StoreTable {
    let session: StoreSession

    /// The statements that create the table.
    ///
    /// - `kind`: the kind of the control that the token reloads; empty for the token of an app's widgets.
    /// - `dead`: the time at which APNs rejected the token.
    /// - `delivery`: the number of the row of `deliveries` with the token's push, which may be gone.
    /// - The other columns are those of a ``WidgetReload``.
    static let creation = """
        CREATE TABLE widget_tokens (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            app INTEGER NOT NULL,
            device TEXT NOT NULL,
            kind TEXT NOT NULL,
            token TEXT NOT NULL,
            registered INTEGER NOT NULL,
            dead INTEGER,
            delivery INTEGER,
            asked INTEGER NOT NULL DEFAULT 0,
            settled INTEGER NOT NULL DEFAULT 0,
            until INTEGER NOT NULL DEFAULT 0,
            claimed INTEGER NOT NULL DEFAULT 0,
            claimed_until INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE UNIQUE INDEX widget_tokens_of_device ON widget_tokens (device, token);
        CREATE INDEX widget_tokens_queued ON widget_tokens (delivery) WHERE delivery IS NOT NULL;
        """

    // MARK: Reloads

    /// Returns the tokens that meet an SQL condition on the tables `widget_tokens` and `devices`, in the order of their rows.
    func tokens(where condition: String, _ arguments: SQLArguments) throws -> [StoredWidgetToken] {
        try tokens(Self.query(where: condition, arguments))
    }

    /// Decodes the rows of ``query(where:_:)``.
    func tokens(_ query: SQLStatement) throws -> [StoredWidgetToken] { try rows(query).map(StoredWidgetToken.init) }

    /// Returns the query of ``tokens(where:_:)``.
    static func query(where condition: String, _ arguments: SQLArguments) -> SQLStatement {
        SQLStatement(
            sql: """
                SELECT widget_tokens.*, devices.state AS device_state, devices.token AS device_token, devices.environment,
                    deliveries.number IS NOT NULL AS queued
                FROM widget_tokens JOIN devices ON devices.id = widget_tokens.device
                    LEFT JOIN deliveries ON deliveries.number = widget_tokens.delivery
                WHERE \(condition) ORDER BY widget_tokens.number
                """, arguments: arguments)
    }

    /// Returns the tokens of devices that APNs has not rejected: those of controls of these kinds, or with `nil` of the widgets.
    func tokens(ofDevices devices: [Int64], controls: [String]?) throws -> [StoredWidgetToken] {
        try tokens(
            where: """
                \(dialect.isAmongIntegers("devices.number")) AND widget_tokens.dead IS NULL
                    AND widget_tokens.kind IN (SELECT value FROM \(dialect.textsOfJSON) AS named)
                """, [Self.integers(devices), try Self.json(controls ?? [""])])
    }

    func keep(_ stored: StoredWidgetToken) throws {
        let reload = stored.reload
        try execute(
            "UPDATE widget_tokens SET asked = ?, settled = ?, until = ?, claimed = ?, claimed_until = ? WHERE number = ?",
            [
                reload.asked, reload.settled, reload.until.millisecondsSince1970, reload.claimed,
                reload.claimedUntil.millisecondsSince1970, stored.number,
            ])
    }

    /// Stores that APNs has rejected a token.
    func retire(_ number: Int64) throws {
        try execute("UPDATE widget_tokens SET dead = ? WHERE number = ?", [now.millisecondsSince1970, number])
    }

    /// Stores that the push in a row of `deliveries` is the token's.
    func keep(delivery: Int64, of number: Int64) throws {
        try execute("UPDATE widget_tokens SET delivery = ? WHERE number = ?", [delivery, number])
    }

    // MARK: Registrations

    /// A token that a device has registered.
    struct Registered {
        let token: WidgetToken
        /// Whether APNs has rejected it.
        let isDead: Bool
        /// The time after which its waiting reload is not sent; `nil` if none waits.
        let waitingUntil: Timestamp?
    }

    /// Returns the tokens that a device has registered.
    func tokens(of device: String) throws -> [Registered] {
        try rows(Self.tokens(of: device)).map { row in
            guard let token = row.text("token").flatMap(DeviceToken.init(hex:)) else { throw row.unreadable("token") }
            let kind: String = try row["kind"]
            let (asked, settled): (Int, Int) = (try row["asked"], try row["settled"])
            return Registered(
                token: WidgetToken(control: kind.isEmpty ? nil : kind, token: token),
                isDead: row.timestamp("dead") != nil,
                waitingUntil: asked > settled ? row.timestamp("until").flatMap { now < $0 ? $0 : nil } : nil)
        }
    }

    /// Returns the query of ``tokens(of:)``.
    static func tokens(of device: String) -> SQLStatement {
        SQLStatement(
            sql: "SELECT kind, token, dead, asked, settled, until FROM widget_tokens WHERE device = ? ORDER BY number",
            arguments: [device])
    }

    /// Stores a token of a device; one that APNs has rejected is tried again.
    ///
    /// - Parameters:
    ///   - token: the token.
    ///   - device: the device.
    ///   - waitingUntil: the time until which a reload waits that was asked for under another token; `nil` for none.
    /// - Throws: the errors of the database.
    func insert(_ token: WidgetToken, of device: DeviceRecord, waitingUntil: Timestamp?) throws {
        try execute(
            """
            INSERT INTO widget_tokens (app, device, kind, token, registered, asked, until) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (device, token) DO UPDATE SET kind = excluded.kind, registered = excluded.registered, dead = NULL
            """,
            [
                device.app.number.rawValue, device.id, token.control ?? "", token.token.hex,
                now.millisecondsSince1970, waitingUntil == nil ? 0 : 1, waitingUntil?.millisecondsSince1970 ?? 0,
            ])
    }

    func delete(_ token: WidgetToken, of device: String) throws {
        try execute(
            "DELETE FROM widget_tokens WHERE device = ? AND token = ? AND kind = ?",
            [device, token.token.hex, token.control ?? ""])
    }

    /// Deletes a device's tokens.
    func drop(of device: String) throws { try execute("DELETE FROM widget_tokens WHERE device = ?", [device]) }
}

/// A token for widgets or a control as the store keeps it.
struct StoredWidgetToken {
    let number: Int64
    let device: String
    let token: DeviceToken
    let isControl: Bool
    let registered: Timestamp
    /// Whether the table `deliveries` has a row for the token's push.
    let isQueued: Bool
    /// The number of the ``SendingChannel`` in which the token's push waits.
    let channel: Int64
    var reload: WidgetReload

    init(_ row: SQLRow) throws {
        number = try row["number"]
        device = try row["device"]
        guard let token = row.text("token").flatMap(DeviceToken.init(hex:)) else { throw row.unreadable("token") }
        self.token = token
        isControl = row.text("kind")?.isEmpty == false
        isQueued = try row["queued"]
        channel = SendingChannel.number(try row["app"], try row.choice("environment"))
        guard let registered = row.timestamp("registered"), let until = row.timestamp("until") else {
            throw row.unreadable("registered")
        }
        self.registered = registered
        reload = WidgetReload(
            until: until, claimed: try row["claimed"], claimedUntil: row.timestamp("claimed_until"))
        reload.asked = try row["asked"]
        reload.settled = try row["settled"]
        reload.isDead = row.timestamp("dead") != nil
        reload.isReachable =
            row.text("device_state") == DeviceRecord.State.active.rawValue && row.text("device_token") != nil
    }
}
