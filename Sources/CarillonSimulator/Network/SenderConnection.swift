import CarillonCore

/// The simulator's record of one open connection.
struct SenderConnection: Sendable {
    /// The number of the connection, counted from 1.
    let number: Int
    var credential: ConnectionCredential
    /// The generator of this connection's request ids.
    ///
    /// Each connection has its own generator, so that connections do not wait for each other.
    var generator: SeededGenerator
    /// The last `authorization` of this connection as the journal shows it, because a sender repeats it with every push.
    private var lastShown: (authorization: String, credential: RequestRecord.Credential)?

    init(number: Int, credential: ConnectionCredential, generator: SeededGenerator) {
        (self.number, self.credential, self.generator) = (number, credential, generator)
    }

    /// Returns a request's credential for the journal.
    mutating func shownCredential(_ authorization: String?) -> RequestRecord.Credential {
        if let certificate = credential.certificate { return .certificate(topics: certificate.topics.sorted()) }
        guard let authorization else { return .none }
        if let lastShown, lastShown.authorization == authorization { return lastShown.credential }
        let shown = RequestRecord.Credential(reading: authorization)
        lastShown = (authorization, shown)
        return shown
    }
}

extension RequestRecord.Credential {
    /// Reads a provider token without checking it, and leaves its signature out.
    fileprivate init(reading authorization: String) {
        guard let text = try? ConnectionCredential.bearerToken(authorization),
            case let parts = text.split(separator: ".", omittingEmptySubsequences: false), parts.count == 3,
            let header = Self.dictionary(parts[0]), let claims = Self.dictionary(parts[1])
        else {
            self = .unreadable
            return
        }
        self = .token(header: header, claims: claims)
    }

    private static func dictionary(_ part: Substring) -> JSONValue? {
        guard let data = Base64URL.decode(part), let value = try? JSONValue(parsing: data), value.members != nil else {
            return nil
        }
        return value
    }
}
