import CarillonCore

/// Requests that were made before: the table `idempotency`, by API key and the name that the caller gave its request.
extension StoreTransaction {
    /// The answer that the same idempotency key got before.
    func repetition(of message: NewMessage) throws -> Acceptance? {
        guard let key = message.idempotencyKey,
            let row = try row(
                """
                SELECT idempotency.*, messages.app, messages.ranged FROM idempotency JOIN messages ON messages.number = idempotency.message
                WHERE owner = ? AND key = ?
                """, [key.owner, key.key])
        else { return nil }
        // The app may be named outside the body.
        guard row["fingerprint"] == message.fingerprint, row["app"] == message.app.number.rawValue else {
            return .refused(.idempotencyKeyReused)
        }
        let devices: Int? = row["ranged"] ? nil : row["devices"]
        return .repeated(
            SendAnswer(id: try id(ofMessage: row["message"]), state: message.state(at: now), devices: devices))
    }

    func remember(_ message: NewMessage, _ number: Int64, devices: Int) throws {
        guard let key = message.idempotencyKey else { return }
        try execute(
            "INSERT INTO idempotency (owner, key, fingerprint, message, devices, at) VALUES (?, ?, ?, ?, ?, ?)",
            [
                key.owner, key.key, message.fingerprint, number, devices, now.millisecondsSince1970,
            ])
    }
}
