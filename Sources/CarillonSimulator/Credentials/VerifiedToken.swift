import CarillonCore

/// What a genuine provider token says.
struct VerifiedToken: Sendable, Hashable {
    var keyID: String
    var teamID: String
    var issuedAt: Timestamp
    /// What was accepted of it although a rule would have it otherwise, for the journal.
    var note: String?
}
