import CarillonCore

/// The contents of a genuine provider token.
struct VerifiedToken: Sendable, Hashable {
    var keyID: String
    var teamID: String
    var issuedAt: Timestamp
    /// A tolerated breach of a rule, for the journal; `nil` when there is none.
    var note: String?
}
