import CarillonCore

/// The contents of a valid provider token.
struct VerifiedToken: Sendable, Hashable {
    var keyID: String
    var teamID: String
    var issuedAt: Timestamp
    /// A description, for the journal, of a rule that the token breaks but the simulator tolerates; `nil` if there is none.
    var note: String?
}
