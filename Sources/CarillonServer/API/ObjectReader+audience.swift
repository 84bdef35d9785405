import CarillonCore

/// Reads the member `to`, which names an audience.
extension ObjectReader {
    mutating func takeAudience() throws(Problem) -> Audience { try takeRecipients().audience }

    /// Reads the audience, and the values of the text variables for each named user if the body has any.
    mutating func takeRecipients() throws(Problem) -> (audience: Audience, variables: RecipientVariables?) {
        guard let to = take("to") else {
            throw .invalid("/to", #"is missing: say whom it is for, such as {"user": "u-42"}"#)
        }
        var reader = try ObjectReader(to, pointer: "/to")
        var audiences: [Audience] = []
        if let user = try reader.takeString("user") { audiences.append(.users([user])) }
        let variables = try reader.takeVariables("users", limit: ServiceLimits.namedRecipients)
        if let variables {
            audiences.append(.users(variables.values.keys.sorted().map(\.text)))
        } else if let users = try reader.takeStrings("users", limit: ServiceLimits.namedRecipients) {
            audiences.append(.users(users))
        }
        if let devices = try reader.takeStrings("devices", limit: ServiceLimits.namedRecipients) {
            audiences.append(.devices(devices))
        }
        if let everyone = reader.take("everyone") {
            guard everyone == true else { throw .invalid("/to/everyone", "must be true, or left out") }
            audiences.append(.everyone)
        }
        if let text = try reader.takeString("where") { audiences.append(.matching(try Self.expression(text))) }
        try reader.finish()
        guard audiences.count == 1, let audience = audiences.first else {
            throw .invalid("/to", "must have exactly one of user, users, devices, where, everyone")
        }
        if case .users(let users) = audience {
            for user in users where !UserID.isValid(user) { throw .invalid("/to", UserID.rule) }
        }
        return (audience, variables)
    }

    /// Reads an object that has the values of variables for each user.
    ///
    /// If the member is not an object, the function returns `nil` and leaves the member in place.
    private mutating func takeVariables(_ key: String, limit: Int) throws(Problem) -> RecipientVariables? {
        guard case .object(let users)? = rest[key] else { return nil }
        _ = take(key)
        guard (1...limit).contains(users.count) else {
            throw .invalid(pointer(to: key), "has \(users.count) users; it takes 1 to \(limit)")
        }
        return try RecipientVariables(users, pointer: pointer(to: key))
    }

    /// Reads the app that the body or the query names; if neither names one, returns the key's only app.
    mutating func takeApp(of key: APIKeyRecord, orNamed other: String?) throws(Problem) -> AppReference {
        let topic = try takeString("topic")
        guard topic == nil || other == nil || topic == other else {
            throw .invalid("/topic", "is not the app that ?topic= names; name it once")
        }
        return try CallerAuthentication.app(of: key, named: topic ?? other, pointer: "/topic")
    }

    private static func expression(_ text: String) throws(Problem) -> AudienceExpression {
        do {
            return try AudienceParser.parse(text)
        } catch {
            throw .invalid("/to/where", "\(error)")
        }
    }
}
